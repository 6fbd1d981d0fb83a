using System.Buffers;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>The tool <c>elicit_doctor</c>: the report on the host that calls it.</summary>
internal sealed class ElicitDoctorTool(HandshakeStore handshakes, IOptions<ElicitDoctorOptions> options, ILoggerFactory? loggerFactory = null)
    : McpServerTool
{
    private const string ProbeElicitation = "probeElicitation";

    // A report sits three levels deep in its message, and the SDKs read 64.
    private const int MaxReportDepth = 61;

    private readonly ILogger _logger = Log.CreateLogger(loggerFactory);

    public override Tool ProtocolTool { get; } = new()
    {
        Name = options.Value.ToolName,
        Title = "Elicit doctor",
        Description = "Reports what this host can do with MCP elicitation: the handshake as it was on the wire, the modes that it supports, how a server may ask here, and what is wrong with it.",
        InputSchema = Parse("""
            {
              "type": "object",
              "properties": {
                "probeElicitation": {
                  "type": "boolean",
                  "description": "Whether to ask the user a real question too, to see whether elicitation works. False when absent."
                }
              }
            }
            """u8),
        OutputSchema = ReadReportSchema(),
        Annotations = new() { ReadOnlyHint = true, IdempotentHint = true, DestructiveHint = false, OpenWorldHint = false },
    };

    public override IReadOnlyList<object> Metadata => [];

    public override ValueTask<CallToolResult> InvokeAsync(RequestContext<CallToolRequestParams> request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return new(Invoke(request));
    }

    private CallToolResult Invoke(RequestContext<CallToolRequestParams> request)
    {
        var probe = false;
        if (request.Params?.Arguments?.TryGetValue(ProbeElicitation, out var argument) == true)
        {
            if (argument.ValueKind is not (JsonValueKind.True or JsonValueKind.False or JsonValueKind.Null))
            {
                return Error($"{ProbeElicitation} must be true or false, but the call has {Shorten(argument.GetRawText())}.");
            }

            probe = argument.ValueKind == JsonValueKind.True;
        }

        try
        {
            var handshake = handshakes.Find(request);
            using var report = handshake.Report();
            if (!probe)
            {
                return Success(report);
            }

            using var probed = report.WithSkippedProbe(ElicitationMode.Form, ReasonNotToProbe(report, handshake));
            return Success(probed);
        }
        catch (ElicitDoctorException error)
        {
            Log.ReportFailed(_logger, error);
            return Error($"The report could not be made: {error.Message}");
        }
    }

    private static string ReasonNotToProbe(DoctorReport report, Handshake handshake) => report switch
    {
        { Delivery: Delivery.None } when handshake.IsStateless => "server is stateless and cannot ask this client",
        { Support.Elicitation: false } => "client did not advertise elicitation",
        { Support.ElicitationForm: false } => "client did not advertise form mode",
        _ => "this version does not run live probes yet",
    };

    private static CallToolResult Success(DoctorReport report)
    {
        var utf8 = new ArrayBufferWriter<byte>(report.Utf8Length);
        report.WriteTo(utf8);
        JsonElement structured;
        try
        {
            structured = Parse(utf8.WrittenSpan);
        }
        catch (JsonException)
        {
            return Error($"The handshake is nested so deeply that a report of it has more than the {MaxReportDepth} levels that fit into an answer.");
        }

        return new()
        {
            Content = [new TextContentBlock { Text = report.ToJson() }],
            StructuredContent = structured,
        };
    }

    private static CallToolResult Error(string message) => new()
    {
        IsError = true,
        Content = [new TextContentBlock { Text = message }],
    };

    private static string Shorten(string text) => text.Length <= 100 ? text : $"{text.AsSpan(0, 100)}…";

    private static JsonElement ReadReportSchema()
    {
        using var resource = typeof(ElicitDoctorTool).Assembly.GetManifestResourceStream("report.schema.json")!;
        using var document = JsonDocument.Parse(resource);
        return document.RootElement.Clone();
    }

    private static JsonElement Parse(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = MaxReportDepth });
        return JsonElement.ParseValue(ref reader);
    }
}
