using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The report repeats what was on the wire.</summary>
public sealed class EchoTests
{
    private const string PerRequestMeta =
        """{"io.modelcontextprotocol/protocolVersion":"2026-07-28","zz":1e3,"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"x":"\u00e9é\/😀\ud83d\ude00"},"aa":[2.50,null]}""";

    [Theory]
    [InlineData("""{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"n","version":"1"}}""")]
    [InlineData("""{"zz":1,"clientInfo":{"version":"1","name":"n"},"aa":2,"capabilities":{"roots":{},"elicitation":{"url":{},"form":{}}},"protocolVersion":"2025-11-25"}""")]
    [InlineData("""{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"big":123456789012345678901234567890.500,"exp":1E+3,"neg":-0.0}},"clientInfo":{"name":"n","version":"1"}}""")]
    [InlineData("""{"protocolVersion":"2025-11-25","capabilities":{"unknown":[[],{},"",null,true]},"clientInfo":{"name":"n","version":"1"},"_meta":{"x":{}}}""")]
    [InlineData("""{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"caf\u00e9 é \/ <&> 😀 \ud83d\ude00 \u0041 \"\\ \u2028","version":"1"}}""")]
    [InlineData("""{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"a":1,"a":2}},"clientInfo":{"name":"n","version":"1"}}""")]
    [InlineData("""{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":null,"applyDefaults":true}},"clientInfo":{"name":"n","version":"1"}}""")]
    public async Task The_parameters_of_initialize_come_back_byte_for_byte(string parameters)
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        WireClient.Result(await client.RequestAsync("initialize", parameters));

        var report = await client.RequestReportAsync();

        Assert.StartsWith($$"""{"initialize":{"request":{{parameters}},"response":""", report);
    }

    [Fact]
    public async Task The_result_of_initialize_comes_back_byte_for_byte()
    {
        await using var server = PipeServer.Start(builder => builder.Services.Configure<McpServerOptions>(
            options => options.ServerInstructions = "Zürich <b> \"q\" 😀"));
        var client = server.ConnectWire();
        var answer = await client.RequestAsync("initialize", """{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"n","version":"1"}}""");

        var report = await client.RequestReportAsync();

        Assert.Contains($$""","response":{{WireClient.Result(answer).GetRawText()}}},"support":""", report);
    }

    [Fact]
    public async Task The_meta_of_a_request_comes_back_byte_for_byte()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();

        var report = await client.RequestReportAsync($$"""{"name":"elicit_doctor","_meta":{{PerRequestMeta}}}""");

        Assert.StartsWith($$$"""{"perRequest":{"request":{"_meta":{{{PerRequestMeta}}}}},"support":""", report);
    }

    [Fact]
    public async Task The_result_of_a_discovery_in_the_same_session_comes_back_byte_for_byte()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        var answer = await client.RequestAsync("server/discover", $$"""{"_meta":{{PerRequestMeta}}}""");

        var report = await client.RequestReportAsync($$"""{"name":"elicit_doctor","_meta":{{PerRequestMeta}}}""");

        Assert.StartsWith($$"""{"perRequest":{"request":{"_meta":{{PerRequestMeta}}},"response":{{WireClient.Result(answer).GetRawText()}}},"support":""", report);
    }

    [Fact]
    public async Task Escapes_in_names_are_the_one_thing_that_is_shortened()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        await client.RequestAsync("initialize", """{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"\u0061":"\u0061"}},"clientInfo":{"name":"n","version":"1"}}""");

        var report = await client.RequestReportAsync();

        Assert.Contains("""{"experimental":{"a":"\u0061"}}""", report);
    }

    [Fact]
    public async Task Every_report_is_about_its_own_request_in_the_per_request_era()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();

        var declared = JsonElement.Parse(await client.RequestReportAsync(
            """{"name":"elicit_doctor","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}"""));
        var undeclared = JsonElement.Parse(await client.RequestReportAsync(
            """{"name":"elicit_doctor","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}"""));

        Assert.True(declared.GetProperty("support").GetProperty("elicitationForm").GetBoolean());
        Assert.False(undeclared.GetProperty("support").GetProperty("elicitationForm").GetBoolean());
    }
}
