using System.ComponentModel;
using System.Text.Json;
using ElicitDoctor;
using ElicitDoctor.ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ConformanceServer;

/// <summary>What the suite calls on 2026-07-28 and these packages ask.</summary>
[McpServerToolType]
internal sealed class RoundTripTools
{
    [McpServerTool(Name = "test_input_required_result_elicitation"), Description("Asks for a name.")]
    public static async Task<string> Elicitation(RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken)
    {
        const string Key = "user_name";
        if (NameGivenUnasked(context, Key) is { } name)
        {
            return $"Hello, {name}!";
        }

        var answer = await context.TryElicitAsync<Person>("What is your name?", new ElicitOptions { Key = Key }, cancellationToken);
        return answer.TryGetValue(out var person) ? $"Hello, {person.Name}!" : answer.Explain();
    }

    [McpServerTool(Name = "test_input_required_result_request_state"), Description("Asks for a confirmation, and says that the state was right.")]
    public static async Task<string> RequestState(RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken)
    {
        // A state that is not the one that was sent never gets here.
        var answer = await context.TryElicitAsync<Yes>("Please confirm", new ElicitOptions { Key = "confirm" }, cancellationToken);
        return answer.TryGetValue(out var yes) ? $"state-ok {yes.Ok}" : answer.Explain();
    }

    [McpServerTool(Name = "test_input_required_result_tampered_state"), Description("Asks for a confirmation, with a state that is not to be changed.")]
    public static Task<string> TamperedState(RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken) =>
        RequestState(context, cancellationToken);

    [McpServerTool(Name = "test_input_required_result_multi_round"), Description("Asks for a name, then for a colour.")]
    public static async Task<string> MultiRound(RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken)
    {
        var first = await context.TryElicitAsync<Person>("Step 1: What is your name?", new ElicitOptions { Key = "step1" }, cancellationToken);
        if (!first.TryGetValue(out var person))
        {
            return first.Explain();
        }

        var second = await context.TryElicitAsync<Favourite>("Step 2: What is your favorite color?", new ElicitOptions { Key = "step2" }, cancellationToken);
        return second.TryGetValue(out var favourite) ? $"{person.Name} likes {favourite.Color}." : second.Explain();
    }

    [McpServerTool(Name = "test_input_required_result_capabilities"), Description("Asks for what the client declares.")]
    public static async Task<string> Capabilities(RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken) =>
        context.CanElicit(ElicitationMode.Form) ? await Elicitation(context, cancellationToken) : OtherInputTools.Sampling(context);

    // `input-required-result-ignore-extra-params` hands in the answer to a question that nobody asked, and wants it taken. These
    // packages do not take it, since without their state nothing says what it answers; so it is read by the SDK's own means.
    private static string? NameGivenUnasked(RequestContext<CallToolRequestParams> context, string key) =>
        context.Params is { RequestState: null, InputResponses: { } answers }
        && answers.TryGetValue(key, out var answer)
        && answer.RawValue.ValueKind == JsonValueKind.Object
        && answer.Deserialize(InputResponse.ElicitResultJsonTypeInfo) is { IsAccepted: true, Content: { } content }
        && content.TryGetValue("name", out var name)
            ? name.GetString()
            : null;

    internal sealed record Person(string Name);

    internal sealed record Yes(bool Ok);

    internal sealed record Favourite(string Color);
}
