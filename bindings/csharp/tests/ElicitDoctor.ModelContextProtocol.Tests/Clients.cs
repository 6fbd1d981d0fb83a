using System.Text.Json;
using System.Text.Json.Nodes;
using ElicitDoctor.TestSupport;
using ModelContextProtocol;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The official SDK's client, as the tests use it.</summary>
internal static class Clients
{
    public const string InitializeEra = "2025-11-25";
    public const string PerRequestEra = "2026-07-28";

    public static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    /// <summary>A client that speaks one revision, declares these modes and accepts what it is asked.</summary>
    public static McpClientOptions Options(string revision, bool form, bool url) => new()
    {
        ProtocolVersion = revision,
        DiscoverProbeTimeout = Timeout.InfiniteTimeSpan,
        ClientInfo = new() { Name = "tests", Version = "1" },
        Capabilities = new()
        {
            Elicitation = form || url ? new() { Form = form ? new() : null, Url = url ? new() : null } : null,
        },
        Handlers = form || url
            ? new()
            {
                ElicitationHandler = (question, _) => new(new ElicitResult
                {
                    Action = "accept",
                    Content = question?.RequestedSchema is null ? null : new Dictionary<string, JsonElement> { ["value"] = JsonElement.Parse("\"v\"") },
                }),
            }
            : new(),
    };

    /// <summary>A client that declares both modes and does this with a question.</summary>
    public static McpClientOptions Options(string revision, Func<ElicitRequestParams, CancellationToken, Task<ElicitResult>> answer)
    {
        var options = Options(revision, form: true, url: true);
        options.Handlers.ElicitationHandler = (question, cancellationToken) => new(answer(question!, cancellationToken));
        return options;
    }

    /// <summary>What a host answers that accepts with this value for the probe's form.</summary>
    public static ElicitResult Accept(string value) => new()
    {
        Action = "accept",
        Content = new Dictionary<string, JsonElement> { ["value"] = JsonSerializer.SerializeToElement(value) },
    };

    /// <summary>Calls <c>elicit_doctor</c>; the report has passed the schema and is the same as text and as structured content.</summary>
    public static async Task<JsonObject> CallDoctorAsync(
        this McpClient client,
        bool? probeElicitation = null,
        bool? probeUrl = null,
        IProgress<ProgressNotificationValue>? progress = null)
    {
        var arguments = new Dictionary<string, object?>();
        if (probeElicitation is not null)
        {
            arguments.Add("probeElicitation", probeElicitation);
        }

        if (probeUrl is not null)
        {
            arguments.Add("probeUrl", probeUrl);
        }

        return Report(await client.CallToolAsync("elicit_doctor", arguments.Count == 0 ? null : arguments, progress, cancellationToken: Cancellation));
    }

    /// <summary>The result of the form's probe.</summary>
    public static JsonObject FormProbe(this JsonObject report) => report["probes"]!["elicitationForm"]!.AsObject();

    /// <summary>The result of the URL's probe.</summary>
    public static JsonObject UrlProbe(this JsonObject report) => report["probes"]!["elicitationUrl"]!.AsObject();

    /// <summary>What a probe came to, in one line: verdict, who answered, diagnosis.</summary>
    public static string Outcome(this JsonObject probe) => string.Join(' ', probe["verdict"], probe["answeredBy"], probe["diagnosis"]).TrimEnd();

    /// <summary>The text that a tool answered.</summary>
    public static Task<string> CallTextAsync(this McpClient client, string tool, string? mode = null) =>
        mode is null ? client.CallTextAsync(tool, arguments: []) : client.CallTextAsync(tool, ("mode", mode));

    /// <summary>The text that a tool answered to an argument.</summary>
    public static Task<string> CallTextAsync(this McpClient client, string tool, (string Name, object? Value) argument) =>
        client.CallTextAsync(tool, [new(argument.Name, argument.Value)]);

    private static async Task<string> CallTextAsync(this McpClient client, string tool, KeyValuePair<string, object?>[] arguments)
    {
        var result = await client.CallToolAsync(tool, new Dictionary<string, object?>(arguments), cancellationToken: Cancellation);
        return Assert.IsType<TextContentBlock>(Assert.Single(result.Content)).Text;
    }

    public static JsonObject Report(CallToolResult result)
    {
        var text = Assert.IsType<TextContentBlock>(Assert.Single(result.Content)).Text;
        Assert.True(result.IsError is not true, text);
        ReportSchema.AssertValid(text);
        Assert.True(
            JsonElement.DeepEquals(JsonElement.Parse(text), result.StructuredContent!.Value),
            $"structuredContent is {result.StructuredContent}, the text is {text}");
        return JsonNode.Parse(text)!.AsObject();
    }

    public static string[] FindingCodes(this JsonObject report) =>
        [.. (report["findings"]?.AsArray() ?? []).Select(finding => (string)finding!["code"]!)];

    public static bool Supports(this JsonObject report, string feature) => (bool)report["support"]![feature]!;
}
