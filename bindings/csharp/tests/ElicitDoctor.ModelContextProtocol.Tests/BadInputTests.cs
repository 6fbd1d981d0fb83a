using System.Text.Json;
using ModelContextProtocol.Protocol;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>Whatever a client sends, the server goes on and the doctor says what is wrong.</summary>
public sealed class BadInputTests
{
    private const string Initialize = """{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"n","version":"1"}}""";

    [Theory]
    [InlineData("elicitation", "true")]
    [InlineData("elicitation", "\"form\"")]
    [InlineData("elicitation", "[]")]
    [InlineData("elicitation", "1e400")]
    [InlineData("sampling", "true")]
    [InlineData("roots", "[{}]")]
    public async Task A_session_with_a_malformed_capability_starts_and_is_reported(string capability, string value)
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        var parameters = $$$"""{"protocolVersion":"2025-11-25","capabilities":{"x":1,"{{{capability}}}":{{{value}}}},"clientInfo":{"name":"n","version":"1"}}""";
        WireClient.Result(await client.RequestAsync("initialize", parameters));

        var report = await client.RequestReportAsync();

        Assert.StartsWith($$"""{"initialize":{"request":{{parameters}},""", report);
        Assert.Equal($"{capability}_not_an_object", FirstFinding(report));
        Assert.Equal("no", await CanElicitAsync(client));
    }

    [Fact]
    public async Task A_capability_that_is_malformed_in_one_of_its_duplicates_does_not_stop_the_session()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();

        var answer = await client.RequestAsync(
            "initialize",
            """{"protocolVersion":"2025-11-25","capabilities":{"elicitation":true,"elicitation":{},"elicitation":3},"clientInfo":{"name":"n","version":"1"}}""");

        Assert.Null(WireClient.ErrorCode(answer));
        await client.RequestReportAsync();
    }

    [Fact]
    public async Task The_sdk_refuses_a_malformed_capability_in_the_per_request_era_and_the_server_goes_on()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();

        var refused = await client.RequestAsync(
            "tools/call",
            """{"name":"elicit_doctor","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":true}}}""");
        var report = await client.RequestReportAsync(
            """{"name":"elicit_doctor","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}""");

        Assert.NotNull(WireClient.ErrorCode(refused));
        Assert.Contains("\"elicitationForm\":true", report);
    }

    [Fact]
    public async Task A_call_before_the_handshake_is_told_so()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();

        var report = await client.RequestReportAsync();

        Assert.StartsWith("""{"initialize":{},""", report);
        Assert.Equal("handshake_not_seen", FirstFinding(report));
    }

    [Fact]
    public async Task A_call_in_one_go_with_the_handshake_gets_a_report_of_what_was_seen()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();

        await client.SendAsync($$$"""
            {"jsonrpc":"2.0","id":101,"method":"initialize","params":{{{Initialize}}}}
            {"jsonrpc":"2.0","id":102,"method":"tools/call","params":{"name":"elicit_doctor"}}
            """);
        var report = WireClient.ToolText(WireClient.Result(await client.ReadAnswerAsync(102)));

        // The SDK handles the two at the same time: which of them wins is open, but not that the report is right for either.
        ElicitDoctor.TestSupport.ReportSchema.AssertValid(report);
        var sawTheHandshake = JsonElement.Parse(report).GetProperty("support").GetProperty("elicitation").GetBoolean();
        Assert.Equal(sawTheHandshake, FirstFinding(report) != "handshake_not_seen");
    }

    [Fact]
    public async Task A_second_initialize_replaces_the_first()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        await client.RequestAsync("initialize", Initialize);
        await client.RequestAsync("initialize", """{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"other","version":"1"}}""");

        var report = await client.RequestReportAsync();

        Assert.Contains("\"name\":\"other\"", report);
        Assert.Contains("\"elicitation\":false", report);
    }

    [Theory]
    [InlineData("\"yes\"")]
    [InlineData("1")]
    [InlineData("{}")]
    [InlineData("[true]")]
    public async Task An_argument_of_the_wrong_kind_is_a_readable_tool_error(string probe)
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        await client.RequestAsync("initialize", Initialize);

        foreach (var argument in new[] { "probeElicitation", "probeUrl" })
        {
            var result = WireClient.Result(await client.RequestAsync(
                "tools/call", $$$"""{"name":"elicit_doctor","arguments":{"{{{argument}}}":{{{probe}}}}}"""));

            Assert.True(result.GetProperty("isError").GetBoolean());
            Assert.Equal($"{argument} must be true or false, but the call has {probe}.", WireClient.ToolText(result));
        }
    }

    [Theory]
    [InlineData("""{"probeElicitation":null}""")]
    [InlineData("""{"probeElicitation":false}""")]
    [InlineData("""{"other":"yes"}""")]
    [InlineData("{}")]
    [InlineData("null")]
    public async Task Without_a_wish_for_a_probe_there_is_none(string arguments)
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        await client.RequestAsync("initialize", Initialize);

        var report = await client.RequestReportAsync($$"""{"name":"elicit_doctor","arguments":{{arguments}}}""");

        Assert.DoesNotContain("\"probes\"", report);
    }

    [Fact]
    public async Task A_handshake_that_the_core_refuses_is_a_readable_tool_error_and_supports_nothing()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        var tooLarge = new string('x', 1 << 20);
        await client.RequestAsync("initialize", $$$"""{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"{{{tooLarge}}}","version":"1"}}""");

        var result = WireClient.Result(await client.RequestAsync("tools/call", """{"name":"elicit_doctor"}"""));

        Assert.True(result.GetProperty("isError").GetBoolean());
        Assert.StartsWith("The report could not be made: ", WireClient.ToolText(result));
        Assert.Equal("no", await CanElicitAsync(client));
    }

    [Fact]
    public async Task A_handshake_nested_as_deeply_as_the_sdk_reads_is_reported_or_refused_readably()
    {
        for (var depth = 50; depth <= 61; depth++)
        {
            await using var server = PipeServer.Start();
            var client = server.ConnectWire();
            var nested = string.Concat(Enumerable.Repeat("{\"a\":", depth)) + "1" + new string('}', depth);
            WireClient.Result(await client.RequestAsync("initialize", $$$"""{"protocolVersion":"2025-11-25","capabilities":{"experimental":{{{nested}}}},"clientInfo":{"name":"n","version":"1"}}"""));

            var result = WireClient.Result(await client.RequestAsync("tools/call", """{"name":"elicit_doctor"}"""));

            var text = WireClient.ToolText(result);
            Assert.True(
                result.TryGetProperty("structuredContent", out _) || text.StartsWith("The handshake is nested so deeply", StringComparison.Ordinal),
                $"depth {depth}: {text}");
        }
    }

    private static async Task<string> CanElicitAsync(WireClient client) => WireClient.ToolText(WireClient.Result(
        await client.RequestAsync("tools/call", """{"name":"can_elicit","arguments":{"mode":"form"}}""")));

    private static string? FirstFinding(string report) =>
        JsonElement.Parse(report).TryGetProperty("findings", out var findings) ? findings[0].GetProperty("code").GetString() : null;
}
