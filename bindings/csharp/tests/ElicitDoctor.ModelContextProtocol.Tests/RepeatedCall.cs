using System.Text.Json;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The parameters of a call on 2026-07-28, of the doctor unless said otherwise, and of its repetitions.</summary>
internal sealed record RepeatedCall(
    string Arguments = """{"probeElicitation":true}""",
    string Capabilities = """{"elicitation":{"form":{},"url":{}}}""",
    string Tool = "elicit_doctor")
{
    private string Meta =>
        $$"""{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{Capabilities}} }""";

    public string First => $$"""{"name":"{{Tool}}","arguments":{{Arguments}},"_meta":{{Meta}}}""";

    /// <summary>The call with the answer to what was asked, whose state comes back as it was.</summary>
    public string Repeat(JsonElement asked, string answer) => Repeat(State(asked), answer);

    public string Repeat(string state, string answer) => Answer(state, $$"""{"elicit_doctor":{{answer}}}""");

    /// <summary>The call with these answers by key, as JSON, and this state; null for none.</summary>
    public string Answer(string? state, string responses) => state is null
        ? $$"""{"name":"{{Tool}}","arguments":{{Arguments}},"_meta":{{Meta}},"inputResponses":{{responses}}}"""
        : $$"""{"name":"{{Tool}}","arguments":{{Arguments}},"_meta":{{Meta}},"requestState":"{{state}}","inputResponses":{{responses}}}""";

    public static string State(JsonElement asked) => asked.GetProperty("requestState").GetString()!;
}
