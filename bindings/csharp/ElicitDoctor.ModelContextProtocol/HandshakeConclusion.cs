using System.Text.Json;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What the pre-check and the questions need to know of a host.</summary>
internal sealed class HandshakeConclusion
{
    private static readonly string[] InitializeCapabilities = ["initialize", "request", "capabilities"];
    private static readonly string[] InitializeClientInfo = ["initialize", "request", "clientInfo"];
    private static readonly string[] MetaCapabilities = ["perRequest", "request", "_meta", "io.modelcontextprotocol/clientCapabilities"];
    private static readonly string[] MetaClientInfo = ["perRequest", "request", "_meta", "io.modelcontextprotocol/clientInfo"];

    // With these the check of a request has something to say of the host alone.
    private static ReadOnlySpan<byte> AnyForm => """{"message":"?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}"""u8;
    private static ReadOnlySpan<byte> AnyUrl => """{"mode":"url","message":"?","url":"https://example.com/","elicitationId":"1"}"""u8;

    private readonly byte[] _handshake;
    private readonly Support _support;
    private readonly string? _hostName;
    private readonly string? _hostVersion;
    private readonly string? _declared;
    private readonly string? _unreadable;
    private readonly HostOverride? _known;

    public HandshakeConclusion(byte[] handshake, IEnumerable<HostOverride> overrides)
    {
        _handshake = handshake;
        try
        {
            // This reads the text in full; what it does not refuse is JSON.
            using var report = Doctor.Report(handshake);
            (_support, Delivery, Revision) = (report.Support, report.Delivery, report.Revision);
        }
        catch (ElicitDoctorException error) when (error is not NativeLibraryException)
        {
            // A handshake that is no handshake (say, 2 MiB of it) supports nothing; the tool tells what is wrong with it.
            _unreadable = error.Message;
            return;
        }

        using var document = JsonDocument.Parse(handshake, new() { MaxDepth = 256 });
        var isPerRequest = document.RootElement.TryGetProperty("perRequest"u8, out _);
        var capabilities = isPerRequest ? MetaCapabilities : InitializeCapabilities;
        _declared = Verbatim.Find(document.RootElement, [.. capabilities, "elicitation"])?.GetRawText();
        var clientInfo = isPerRequest ? MetaClientInfo : InitializeClientInfo;
        _hostName = Text(document.RootElement, clientInfo, "name");
        _hostVersion = Text(document.RootElement, clientInfo, "version");
        _known = overrides.FirstOrDefault(candidate => candidate.Fits(_hostName, _hostVersion));
        if (_known is not null)
        {
            _handshake = Override(document.RootElement, capabilities, _known);
            using var report = Report();
            (_support, Delivery) = (report.Support, report.Delivery);
        }
    }

    public Delivery Delivery { get; }

    /// <summary>The protocol revision that holds; null where none was seen.</summary>
    public string? Revision { get; }

    /// <summary>Whether this is 2025-11-25 or later, with which came modes, lists, titled choices, and defaults of all kinds.</summary>
    public bool HasModes => Revision is null || string.CompareOrdinal(Revision, "2025-11-25") >= 0;

    public bool CanElicit(ElicitationMode mode) => _support.Supports(mode) && Delivery != Delivery.None;

    /// <summary>A new report on what can really be asked, owned by the caller.</summary>
    /// <exception cref="ElicitDoctorException">The core cannot make a report of this handshake.</exception>
    public DoctorReport Report() => Doctor.Report(_handshake);

    /// <summary>Why the host cannot be asked.</summary>
    public SupportGap Gap(ElicitationMode mode, string? missing = null) =>
        new(mode, _hostName, _hostVersion, Revision, _declared, missing ?? _unreadable ?? Missing(mode));

    private string Missing(ElicitationMode mode)
    {
        if ((mode == ElicitationMode.Url ? _known?.Url : _known?.Form) == false)
        {
            return "This server is set up not to ask it, whatever it declares.";
        }

        using var report = Report();
        if (report.Findings.FirstOrDefault(finding => finding.Code is "handshake_not_seen" or "stateless_without_handshake") is { } unknown)
        {
            return unknown.Message;
        }

        var refused = Doctor.CheckRequest(report, mode == ElicitationMode.Url ? AnyUrl : AnyForm).First(finding => finding.Severity == FindingSeverity.Error);
        // Behind the semicolon stands what an author shall do, and this is read by a user.
        return $"{refused.Message.Split(';')[0].TrimEnd('.')}.";
    }

    private byte[] Override(JsonElement handshake, string[] capabilities, HostOverride known)
    {
        // Before there were modes, the capability is forms, whatever is in it.
        var (form, url) = (known.Form ?? _support.ElicitationForm, HasModes && (known.Url ?? _support.ElicitationUrl));
        return Verbatim.ToUtf8(writer => Verbatim.WriteReplacing(writer, handshake, [.. capabilities, "elicitation"], form || url ? WriteModes : null));

        void WriteModes(Utf8JsonWriter writer)
        {
            writer.WriteStartObject();
            foreach (var (mode, isSupported) in new[] { ("form", form), ("url", url) })
            {
                if (isSupported)
                {
                    writer.WriteStartObject(mode);
                    writer.WriteEndObject();
                }
            }

            writer.WriteEndObject();
        }
    }

    private static string? Text(JsonElement root, string[] path, string name) =>
        Verbatim.Find(root, [.. path, name]) is { ValueKind: JsonValueKind.String } text ? text.GetString() : null;
}
