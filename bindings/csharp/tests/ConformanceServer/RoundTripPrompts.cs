using System.ComponentModel;
using ElicitDoctor.ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ConformanceServer;

/// <summary>A prompt that asks, as a tool does.</summary>
[McpServerPromptType]
internal sealed class RoundTripPrompts
{
    [McpServerPrompt(Name = "test_input_required_result_prompt"), Description("Asks for the context of the prompt.")]
    public static async Task<string> Prompt(RequestContext<GetPromptRequestParams> context, CancellationToken cancellationToken)
    {
        var answer = await context.TryElicitAsync<Subject>(
            "What context should the prompt use?", new ElicitOptions { Key = "user_context" }, cancellationToken);
        return answer.TryGetValue(out var subject) ? $"Use this context: {subject.Context}" : answer.Explain();
    }

    internal sealed record Subject(string Context);
}
