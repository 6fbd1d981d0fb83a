using System.Text.Json;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>Tools that say what the pre-check says, and tools that ask without it.</summary>
[McpServerToolType]
internal sealed class PreCheckTools
{
    [McpServerTool(Name = "can_elicit")]
    public static string CanElicit(RequestContext<CallToolRequestParams> context, string mode) =>
        context.CanElicit(Mode(mode)) ? "yes" : "no";

    [McpServerTool(Name = "server_can_elicit")]
    public static string ServerCanElicit(McpServer server, string mode) => server.CanElicit(Mode(mode)) ? "yes" : "no";

    [McpServerTool(Name = "delivery")]
    public static string DeliveryOf(RequestContext<CallToolRequestParams> context) => context.ElicitDelivery().ToString();

    [McpServerTool(Name = "ask")]
    public static async Task<string> Ask(McpServer server, string mode, CancellationToken cancellationToken)
    {
        try
        {
            return (await server.ElicitAsync(Question(mode), cancellationToken)).Action;
        }
        catch (InvalidOperationException error)
        {
            return error.Message;
        }
    }

    [McpServerTool(Name = "ask_by_round_trip")]
    public static string AskByRoundTrip(RequestContext<CallToolRequestParams> context, string mode) =>
        context.Params?.InputResponses?.TryGetValue("q", out var answer) == true
            ? answer.Deserialize(InputResponse.ElicitResultJsonTypeInfo)!.Action
            : throw new InputRequiredException(new Dictionary<string, InputRequest> { ["q"] = InputRequest.ForElicitation(Question(mode)) }, "state");

    private static ElicitationMode Mode(string mode) => mode == "url" ? ElicitationMode.Url : ElicitationMode.Form;

    private static ElicitRequestParams Question(string mode) => mode == "url"
        ? new() { Mode = "url", Message = "Please visit.", Url = "https://example.com/", ElicitationId = "1" }
        : new()
        {
            Message = "Please say.",
            RequestedSchema = new() { Properties = { ["value"] = new ElicitRequestParams.StringSchema() } },
        };
}
