using System.Text.Json;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The parameters of a call of the doctor on 2026-07-28, and of its repetitions.</summary>
internal sealed record RepeatedCall(
    string Arguments = """{"probeElicitation":true}""",
    string Capabilities = """{"elicitation":{"form":{},"url":{}}}""")
{
    private string Meta =>
        $$"""{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{Capabilities}} }""";

    public string First => $$"""{"name":"elicit_doctor","arguments":{{Arguments}},"_meta":{{Meta}}}""";

    /// <summary>The call with the answer to what was asked, whose state comes back as it was.</summary>
    public string Repeat(JsonElement asked, string answer) => Repeat(State(asked), answer);

    public string Repeat(string state, string answer) =>
        $$$"""{"name":"elicit_doctor","arguments":{{{Arguments}}},"_meta":{{{Meta}}},"requestState":"{{{state}}}","inputResponses":{"elicit_doctor":{{{answer}}}}}""";

    public static string State(JsonElement asked) => asked.GetProperty("requestState").GetString()!;
}
