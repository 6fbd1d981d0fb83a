namespace ElicitDoctor.Soak;

internal static class Handshakes
{
    internal const string FormAndUrl = """
        {"initialize":{"request":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"c","version":"1"}},"response":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}}
        """;

    internal const string NoElicitation = """
        {"initialize":{"request":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}},"response":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}}
        """;
}
