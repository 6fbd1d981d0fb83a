using ElicitDoctor.TestSupport;

namespace ElicitDoctor.Tests;

internal static class Handshakes
{
    /// <summary>Form and URL, with a number, an order and an escape that a reader and writer of JSON would change.</summary>
    internal const string FormAndUrl = """
        {"initialize":{"request":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"elicitation":{"url":{},"form":{}}},"clientInfo":{"version":"2.1.332","name":"claude\u002dcode","x-build":12345678901234567890.10}},"response":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}}
        """;

    internal const string ElicitationIsTrue = """
        {"initialize":{"request":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":true},"clientInfo":{"name":"c","version":"1"}}}}
        """;

    internal const string PerRequest = """
        {"perRequest":{"request":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}}}}
        """;

    internal const string Nothing = """{"initialize":{}}""";

    /// <summary>The report, checked against the schema.</summary>
    internal static DoctorReport Report(string handshakeJson)
    {
        DoctorReport report = Doctor.Report(handshakeJson);
        ReportSchema.AssertValid(report.ToJson());
        return report;
    }
}
