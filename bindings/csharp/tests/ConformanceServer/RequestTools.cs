using System.ComponentModel;
using System.Text.Json;
using System.Text.Json.Serialization;
using ElicitDoctor.ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ConformanceServer;

/// <summary>What the suite calls within a session of the initialize era.</summary>
[McpServerToolType]
internal sealed class RequestTools
{
    [McpServerTool(Name = "test_elicitation"), Description("Asks the user with a message.")]
    public static async Task<string> Elicitation(RequestContext<CallToolRequestParams> context, string message, CancellationToken cancellationToken)
    {
        var answer = await context.TryElicitAsync<Contact>(message, cancellationToken);
        return $"User response: {Tell(answer)}";
    }

    [McpServerTool(Name = "test_elicitation_sep1034_defaults"), Description("Asks for values that have defaults.")]
    public static async Task<string> Defaults(RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken)
    {
        var answer = await context.TryElicitAsync<Profile>("Please check your profile.", cancellationToken);
        return $"Elicitation completed: {Tell(answer)}";
    }

    [McpServerTool(Name = "test_elicitation_sep1330_enums"), Description("Asks for choices of every kind.")]
    public static async Task<string> Choices(RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken)
    {
        var answer = await context.TryElicitAsync(EveryChoice, cancellationToken: cancellationToken);
        return $"Elicitation completed: {Tell(answer)}";
    }

    private static string Tell<T>(ElicitationOutcome<T> answer) =>
        answer.TryGetValue(out var value) ? $"accepted {JsonSerializer.Serialize(value, JsonSerializerOptions.Web)}" : answer.Explain();

    private static ElicitRequestParams EveryChoice
    {
        get
        {
            string[] plain = ["option1", "option2", "option3"];
            ElicitRequestParams.EnumSchemaOption[] titled =
            [
                new() { Const = "value1", Title = "First Option" },
                new() { Const = "value2", Title = "Second Option" },
                new() { Const = "value3", Title = "Third Option" },
            ];
            return new()
            {
                Message = "Please choose.",
                RequestedSchema = new()
                {
                    Properties =
                    {
                        ["untitledSingle"] = new ElicitRequestParams.UntitledSingleSelectEnumSchema { Enum = plain },
                        ["titledSingle"] = new ElicitRequestParams.TitledSingleSelectEnumSchema { OneOf = titled },
#pragma warning disable MCP9001 // Deprecated, and the suite wants it asked.
                        ["legacyEnum"] = new ElicitRequestParams.LegacyTitledEnumSchema
#pragma warning restore MCP9001
                        {
                            Enum = ["opt1", "opt2", "opt3"],
                            EnumNames = ["Option One", "Option Two", "Option Three"],
                        },
                        ["untitledMulti"] = new ElicitRequestParams.UntitledMultiSelectEnumSchema { Items = new() { Enum = plain } },
                        ["titledMulti"] = new ElicitRequestParams.TitledMultiSelectEnumSchema { Items = new() { AnyOf = titled } },
                    },
                },
            };
        }
    }

    internal sealed record Contact(
        [property: Description("User's response")] string Username,
        [property: Description("User's email address")] string Email);

    internal sealed record Profile(
        string Name = "John Doe",
        int Age = 30,
        double Score = 95.5,
        Status Status = Status.Active,
        bool Verified = true);

    [JsonConverter(typeof(JsonStringEnumConverter<Status>))]
    internal enum Status
    {
        [JsonStringEnumMemberName("active")]
        Active,
        [JsonStringEnumMemberName("inactive")]
        Inactive,
        [JsonStringEnumMemberName("pending")]
        Pending,
    }
}
