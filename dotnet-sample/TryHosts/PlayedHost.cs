using System.ComponentModel;
using System.Text.Json.Nodes;
using ModelContextProtocol;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;

namespace TryHosts;

/// <summary>A host to play.</summary>
/// <param name="Name">What it is like, for the reader.</param>
/// <param name="Revision">The protocol revision that it speaks.</param>
/// <param name="Elicitation">The JSON of the <c>elicitation</c> capability that it sends, if any.</param>
/// <param name="Behaviour">What it does when the doctor asks; null for a host that calls the doctor without a probe.</param>
internal sealed record PlayedHost(string Name, string Revision, string? Elicitation, Behaviour? Behaviour = null)
{
    private const string InitializeEra = "2025-11-25";
    private const string PerRequestEra = "2026-07-28";

    private static readonly TimeSpan TimeLimit = TimeSpan.FromMinutes(1);

    /// <summary>The hosts that differ in what they declare, then those that differ in what they do.</summary>
    /// <remarks>
    /// On 2026-07-28 the answer comes with the repeated call: a host that has none to give, in time or at all, does not
    /// repeat it, and the doctor cannot report.
    /// </remarks>
    public static IReadOnlyList<PlayedHost> All { get; } =
    [
        new("no elicitation", InitializeEra, null),
        new("no mode named", InitializeEra, "{}"),
        new("forms and URLs", InitializeEra, """{"form":{},"url":{}}"""),
        new("URLs only", InitializeEra, """{"url":{}}"""),
        new("too early for modes", "2025-06-18", """{"form":{},"url":{}}"""),
        new("too early to ask", "2025-03-26", "{}"),
        new("malformed", InitializeEra, "true"),
        new("per request", PerRequestEra, """{"form":{},"url":{}}"""),
        new("per request, none", PerRequestEra, null),
        .. InBothEras("a person accepts", Behaviour.AcceptAsAPerson),
        .. InBothEras("a person declines", Behaviour.DeclineAsAPerson),
        .. InBothEras("cancels by itself", Behaviour.CancelAtOnce),
        .. InBothEras("picks the first", Behaviour.AcceptFirstOption),
        .. InBothEras("accepts, empty", Behaviour.AcceptWithoutContent),
        new("has no method", InitializeEra, "{}", Behaviour.HaveNoMethod),
        new("throws", InitializeEra, "{}", Behaviour.Throw),
        new("never answers", InitializeEra, "{}", Behaviour.NeverAnswer),
        new("answers late", InitializeEra, "{}", Behaviour.AnswerLate),
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

    private static IEnumerable<PlayedHost> InBothEras(string name, Behaviour behaviour) =>
        [new(name, InitializeEra, "{}", behaviour), new(name, PerRequestEra, """{"form":{}}""", behaviour)];

    private async Task<Visit> CallDoctorAsync(ServerProgram server, CancellationToken cancellationToken)
    {
        var answered = new TaskCompletionSource();
        var transport = new HostTransport(
            server.CreateTransport(Behaviour?.MissesTimeout is true),
            onSend: message =>
            {
                RewriteElicitation(message);
                if (message is JsonRpcResponse)
                {
                    answered.TrySetResult();
                }
            },
            hears: message => Behaviour != Behaviour.AnswerLate || message is not JsonRpcNotification { Method: NotificationMethods.CancelledNotification });
        var options = new McpClientOptions
        {
            ClientInfo = new() { Name = "TryHosts", Version = "1.0" },
            ProtocolVersion = Revision,
            DiscoverProbeTimeout = TimeLimit,
            InitializationTimeout = TimeLimit,
        };
        if (Behaviour?.AnswerAsync is { } answer)
        {
            options.Handlers.ElicitationHandler = (question, cancelled) => new(answer(question!, server.ShortProbeTimeout, cancelled));
        }

        await using var client = await McpClient.CreateAsync(transport, options, cancellationToken: cancellationToken);
        var arguments = new Dictionary<string, object?> { ["probeElicitation"] = Behaviour is not null };
        var result = await client.CallToolAsync("elicit_doctor", arguments, cancellationToken: cancellationToken);
        if (Behaviour == Behaviour.AnswerLate)
        {
            await answered.Task.WaitAsync(cancellationToken);
            await client.PingAsync(cancellationToken: cancellationToken);
        }

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
