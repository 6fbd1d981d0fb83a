using System.Buffers;
using System.Text.Json;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What a report says of one probe.</summary>
internal sealed record ProbeResult(
    string Mode,
    bool Attempted,
    string? Action,
    TimeSpan Latency,
    string? Verdict,
    string? AnsweredBy,
    string? Diagnosis,
    string? Reason)
{
    public static ProbeResult Of(DoctorReport report, ElicitationMode mode)
    {
        var utf8 = new ArrayBufferWriter<byte>(report.Utf8Length);
        report.WriteTo(utf8);
        using var document = JsonDocument.Parse(utf8.WrittenMemory, new() { MaxDepth = 256 });
        var isForm = mode == ElicitationMode.Form;
        var probe = document.RootElement.GetProperty("probes"u8).GetProperty(isForm ? "elicitationForm"u8 : "elicitationUrl"u8);
        string? Text(string name) => probe.TryGetProperty(name, out var text) ? text.GetString() : null;
        return new(
            isForm ? "form" : "url",
            probe.GetProperty("attempted"u8).GetBoolean(),
            Text("action"),
            TimeSpan.FromMilliseconds(probe.TryGetProperty("latencyMs"u8, out var latency) ? latency.GetInt64() : 0L),
            Text("verdict"),
            Text("answeredBy"),
            Text("diagnosis"),
            Text("reason"));
    }
}
