using System.ComponentModel;
using System.Text.Json.Nodes;
using ModelContextProtocol;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;

namespace TryHosts;

/// <summary>A host to play: the revision that it speaks and the JSON of the <c>elicitation</c> capability that it sends, if any.</summary>
internal sealed record PlayedHost(string Name, string Revision, string? Elicitation)
{
    private static readonly TimeSpan TimeLimit = TimeSpan.FromMinutes(1);

    public static IReadOnlyList<PlayedHost> All { get; } =
    [
        new("no elicitation", "2025-11-25", null),
        new("no mode named", "2025-11-25", "{}"),
        new("forms and URLs", "2025-11-25", """{"form":{},"url":{}}"""),
        new("URLs only", "2025-11-25", """{"url":{}}"""),
        new("too early for modes", "2025-06-18", """{"form":{},"url":{}}"""),
        new("too early to ask", "2025-03-26", "{}"),
        new("malformed", "2025-11-25", "true"),
        new("per request", "2026-07-28", """{"form":{},"url":{}}"""),
        new("per request, none", "2026-07-28", null),
    ];

    /// <summary>Starts the server, connects as this host and calls the doctor.</summary>
    /// <exception cref="VisitFailedException">The server did not start, or did not answer with a report in time.</exception>
    public async Task<Visit> VisitAsync(ServerProgram server, CancellationToken cancellationToken)
    {
        try
        {
            return await CallDoctorAsync(server, cancellationToken).WaitAsync(TimeLimit, cancellationToken);
        }
        catch (Exception error) when (error is McpException or IOException or InvalidOperationException or TimeoutException or Win32Exception)
        {
            throw new VisitFailedException(this, server, error);
        }
    }

    private async Task<Visit> CallDoctorAsync(ServerProgram server, CancellationToken cancellationToken)
    {
        var transport = new RewritingClientTransport(server.CreateTransport(), RewriteElicitation);
        var options = new McpClientOptions
        {
            ClientInfo = new() { Name = "TryHosts", Version = "1.0" },
            ProtocolVersion = Revision,
            DiscoverProbeTimeout = TimeLimit,
            InitializationTimeout = TimeLimit,
        };
        await using var client = await McpClient.CreateAsync(transport, options, cancellationToken: cancellationToken);
        var result = await client.CallToolAsync("elicit_doctor", cancellationToken: cancellationToken);
        var text = string.Concat(result.Content.OfType<TextContentBlock>().Select(block => block.Text));
        return result.IsError == true ? throw new McpException($"elicit_doctor failed: {text}") : new(this, text);
    }

    // The SDK's client writes its own form of the capability ({} becomes {"form":{}}); a host may send anything.
    private void RewriteElicitation(JsonRpcMessage message)
    {
        if (message is not JsonRpcRequest { Params: JsonObject parameters })
        {
            return;
        }

        var capabilities = parameters["capabilities"] ?? parameters["_meta"]?["io.modelcontextprotocol/clientCapabilities"];
        if (capabilities is not null && Elicitation is not null)
        {
            capabilities["elicitation"] = JsonNode.Parse(Elicitation);
        }
    }
}

/// <summary>What a played host got from the doctor: the report as the server sent it.</summary>
internal sealed record Visit(PlayedHost Host, string ReportJson);
