using System.ComponentModel;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ConformanceServer;

/// <summary>What the suite calls and these packages do not ask, since it is no elicitation: the SDK's own round trip.</summary>
[McpServerToolType]
internal sealed class OtherInputTools
{
    [McpServerTool(Name = "test_input_required_result_sampling"), Description("Asks the model of the host.")]
    public static string Sampling(RequestContext<CallToolRequestParams> context) =>
        Answer(context, "capital_question") is { } answer
            ? Text(answer)
            : throw new InputRequiredException(new Dictionary<string, InputRequest> { ["capital_question"] = Sample("What is the capital of France?") });

    [McpServerTool(Name = "test_input_required_result_list_roots"), Description("Asks for the roots.")]
    public static string ListRoots(RequestContext<CallToolRequestParams> context) =>
        Answer(context, "client_roots") is { } answer
            ? Roots(answer)
            : throw new InputRequiredException(new Dictionary<string, InputRequest> { ["client_roots"] = AskForRoots() });

    [McpServerTool(Name = "test_input_required_result_multiple_inputs"), Description("Asks for a name, a greeting and the roots at once.")]
    public static string MultipleInputs(RequestContext<CallToolRequestParams> context)
    {
        const string State = "asked for all three";
        if (context.Params?.RequestState == State
            && Answer(context, "user_name") is { } name
            && Answer(context, "greeting") is { } greeting
            && Answer(context, "client_roots") is { } roots)
        {
            return $"{Name(name)}: {Text(greeting)} {Roots(roots)}";
        }

        // One round for questions of different kinds, of which these packages know only the first.
        throw new InputRequiredException(
            new Dictionary<string, InputRequest>
            {
                ["user_name"] = InputRequest.ForElicitation(new()
                {
                    Message = "What is your name?",
                    RequestedSchema = new() { Properties = { ["name"] = new ElicitRequestParams.StringSchema() }, Required = ["name"] },
                }),
                ["greeting"] = Sample("Generate a greeting"),
                ["client_roots"] = AskForRoots(),
            },
            State);
    }

    private static InputResponse? Answer(RequestContext<CallToolRequestParams> context, string key) =>
        context.Params?.InputResponses?.TryGetValue(key, out var answer) == true ? answer : null;

    private static string? Name(InputResponse answer) =>
        answer.Deserialize(InputResponse.ElicitResultJsonTypeInfo)?.Content?["name"].GetString();

#pragma warning disable MCP9005 // Deprecated, and the suite wants them asked.
    private static InputRequest Sample(string question) => InputRequest.ForSampling(new()
    {
        Messages = [new() { Role = Role.User, Content = [new TextContentBlock { Text = question }] }],
        MaxTokens = 100,
    });

    private static InputRequest AskForRoots() => InputRequest.ForRootsList(new());

    private static string Text(InputResponse answer) =>
        string.Concat(answer.Deserialize(InputResponse.CreateMessageResultJsonTypeInfo)!.Content.OfType<TextContentBlock>().Select(block => block.Text));

    private static string Roots(InputResponse answer) =>
        string.Join(' ', answer.Deserialize(InputResponse.ListRootsResultJsonTypeInfo)!.Roots.Select(root => root.Uri));
#pragma warning restore MCP9005
}
