using System.Text.Json;
using System.Text.Json.Nodes;
using ElicitDoctor.TestSupport;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
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

    /// <summary>Calls <c>elicit_doctor</c>; the report has passed the schema and is the same as text and as structured content.</summary>
    public static async Task<JsonObject> CallDoctorAsync(this McpClient client, bool? probeElicitation = null)
    {
        var arguments = probeElicitation is null ? null : new Dictionary<string, object?> { ["probeElicitation"] = probeElicitation };
        return Report(await client.CallToolAsync("elicit_doctor", arguments, cancellationToken: Cancellation));
    }

    /// <summary>The text that a tool answered.</summary>
    public static async Task<string> CallTextAsync(this McpClient client, string tool, string? mode = null)
    {
        var arguments = mode is null ? null : new Dictionary<string, object?> { ["mode"] = mode };
        var result = await client.CallToolAsync(tool, arguments, cancellationToken: Cancellation);
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
