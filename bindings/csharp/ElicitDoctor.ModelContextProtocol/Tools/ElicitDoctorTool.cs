using System.Buffers;
using System.Text.Json;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>The tool <c>elicit_doctor</c>: the report on the host that calls it.</summary>
internal sealed class ElicitDoctorTool(
    HandshakeStore handshakes, Prober prober, IOptions<ElicitDoctorOptions> options, ILoggerFactory? loggerFactory = null)
    : McpServerTool
{
    private const string ProbeElicitation = "probeElicitation";
    private const string ProbeUrl = "probeUrl";

    private readonly ILogger _logger = Log.CreateLogger(loggerFactory);

    public override Tool ProtocolTool { get; } = new()
    {
        Name = options.Value.ToolName,
        Title = "Elicit doctor",
        Description = "Reports what this host can do with MCP elicitation: the handshake as it was on the wire, the modes that it supports, how a server may ask here, and what is wrong with it.",
        InputSchema = ToolText.Parse("""
            {
              "type": "object",
              "properties": {
                "probeElicitation": {
                  "type": "boolean",
                  "description": "Whether to ask the user a real question too, in a form, to see whether elicitation works. False when absent."
                },
                "probeUrl": {
                  "type": "boolean",
                  "description": "Whether to ask the user to open a page of this server too, to see whether URL mode works. False when absent."
                }
              }
            }
            """u8),
        OutputSchema = ReadReportSchema(),
        Annotations = new() { ReadOnlyHint = true, IdempotentHint = true, DestructiveHint = false, OpenWorldHint = false },
    };

    public override IReadOnlyList<object> Metadata => [];

    public override async ValueTask<CallToolResult> InvokeAsync(RequestContext<CallToolRequestParams> request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);

        var modes = new List<ElicitationMode>();
        foreach (var (name, mode) in new[] { (ProbeElicitation, ElicitationMode.Form), (ProbeUrl, ElicitationMode.Url) })
        {
            if (request.Params?.Arguments?.TryGetValue(name, out var argument) != true)
            {
                continue;
            }

            if (argument.ValueKind is not (JsonValueKind.True or JsonValueKind.False or JsonValueKind.Null))
            {
                return ToolText.Error($"{name} must be true or false, but the call has {ToolText.Shorten(argument.GetRawText())}.");
            }

            if (argument.ValueKind == JsonValueKind.True)
            {
                modes.Add(mode);
            }
        }

        try
        {
            using var report = handshakes.Find(request).Report();
            using var probed = modes.Count == 0 ? report : await prober.ProbeAsync(request, report, modes, cancellationToken).ConfigureAwait(false);
            return Success(probed);
        }
        catch (ElicitDoctorException error) when (error.Status is >= ElicitStatus.StateMalformed and <= ElicitStatus.StateOtherArguments)
        {
            Log.StateRefused(_logger, error.Status, error.Message);
            return ToolText.Error($"The answer cannot be taken: {error.Message}. Call {ProtocolTool.Name} again without requestState, and the user is asked anew.");
        }
        catch (ElicitDoctorException error)
        {
            Log.ReportFailed(_logger, error);
            return ToolText.Error($"The report could not be made: {error.Message}");
        }
    }

    private static CallToolResult Success(DoctorReport report)
    {
        var utf8 = new ArrayBufferWriter<byte>(report.Utf8Length);
        report.WriteTo(utf8);
        JsonElement structured;
        try
        {
            structured = ToolText.Parse(utf8.WrittenSpan);
        }
        catch (JsonException)
        {
            return ToolText.Error($"The handshake is nested so deeply that a report of it has more than the {ToolText.MaxDepth} levels that fit into an answer.");
        }

        return new()
        {
            Content = [new TextContentBlock { Text = report.ToJson() }],
            StructuredContent = structured,
        };
    }

    private static JsonElement ReadReportSchema()
    {
        using var resource = typeof(ElicitDoctorTool).Assembly.GetManifestResourceStream("report.schema.json")!;
        using var document = JsonDocument.Parse(resource);
        return document.RootElement.Clone();
    }
}
