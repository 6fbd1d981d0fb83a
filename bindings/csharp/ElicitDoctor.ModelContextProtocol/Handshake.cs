using System.Text.Json;
using System.Text.Json.Nodes;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What one client and this server said to each other about what they can do, in the form that the core reads.</summary>
internal sealed class Handshake
{
    private readonly Action<Utf8JsonWriter> _writeMembers;
    private HandshakeConclusion? _conclusion;

    private Handshake(bool isStateless, Action<Utf8JsonWriter> writeMembers)
    {
        IsStateless = isStateless;
        _writeMembers = writeMembers;
    }

    /// <summary>Whether the server keeps no session, so that it cannot send the client a request of its own.</summary>
    public bool IsStateless { get; }

    /// <summary>What the probes found that were made under this handshake.</summary>
    public ProbeMemory Probes { get; } = new();

    /// <summary>The <c>initialize</c> request and its response, as they were on the wire.</summary>
    public static Handshake Initialize(byte[] request, JsonNode? response)
    {
        var responseUtf8 = Verbatim.ToUtf8(writer => Verbatim.Write(writer, response));
        return new(isStateless: false, writer =>
        {
            writer.WriteStartObject("initialize");
            writer.WritePropertyName("request");
            writer.WriteRawValue(request, skipInputValidation: true);
            writer.WritePropertyName("response");
            writer.WriteRawValue(responseUtf8, skipInputValidation: true);
            writer.WriteEndObject();
        });
    }

    /// <summary>The <c>_meta</c> of a 2026-07-28 request, and what the server answered to <c>server/discover</c>, where that is known.</summary>
    public static Handshake PerRequest(JsonNode? meta, byte[]? discovered, bool isStateless) => new(isStateless, writer =>
    {
        writer.WriteStartObject("perRequest");
        writer.WriteStartObject("request");
        writer.WritePropertyName("_meta");
        Verbatim.Write(writer, meta);
        writer.WriteEndObject();
        if (discovered is not null)
        {
            writer.WritePropertyName("response");
            writer.WriteRawValue(discovered, skipInputValidation: true);
        }

        writer.WriteEndObject();
    });

    /// <summary>A session whose <c>initialize</c> did not pass through this process: only what the SDK kept of it is known.</summary>
    public static Handshake Rebuilt(ClientCapabilities capabilities, McpServer server) => new(isStateless: false, writer =>
    {
        writer.WriteStartObject("initialize");
        writer.WriteStartObject("request");
        writer.WritePropertyName("capabilities");
        JsonSerializer.Serialize(writer, capabilities, SdkJson.TypeInfo<ClientCapabilities>());
        if (server.ClientInfo is { } clientInfo)
        {
            writer.WritePropertyName("clientInfo");
            JsonSerializer.Serialize(writer, clientInfo, SdkJson.TypeInfo<Implementation>());
        }

        writer.WriteEndObject();
        if (server.NegotiatedProtocolVersion is { } revision)
        {
            writer.WriteStartObject("response");
            writer.WriteString("protocolVersion", revision);
            writer.WriteEndObject();
        }

        writer.WriteEndObject();
        writer.WriteBoolean("verbatim", false);
    });

    /// <summary>No handshake: the call came before it, or the server keeps no session that could tie the two together.</summary>
    public static Handshake NotSeen(bool isStateless) => new(isStateless, writer =>
    {
        writer.WriteStartObject("initialize");
        writer.WriteEndObject();
    });

    /// <summary>A new report on what the host declared, owned by the caller.</summary>
    /// <exception cref="ElicitDoctorException">The core cannot make a report of this handshake.</exception>
    public DoctorReport Report() => Doctor.Report(ToUtf8());

    /// <summary>What the core concludes, with what the author knows better; found on first use, and for as long as the handshake lives.</summary>
    public HandshakeConclusion Conclude(IEnumerable<HostOverride> overrides) =>
        _conclusion ??= new(ToUtf8(), overrides);

    private byte[] ToUtf8() => Verbatim.ToUtf8(writer =>
    {
        writer.WriteStartObject();
        _writeMembers(writer);
        if (IsStateless)
        {
            writer.WriteStartObject("transport");
            writer.WriteBoolean("stateless", true);
            writer.WriteEndObject();
        }

        writer.WriteEndObject();
    });
}
