using System.Text.Json;
using ElicitDoctor.TestSupport;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

public sealed class ToolTests
{
    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task The_tool_is_listed_with_its_schemas_and_annotations(string revision)
    {
        await using var server = PipeServer.Start();
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: false, url: false));

        var tool = (await client.ListToolsAsync(cancellationToken: Clients.Cancellation)).Single(tool => tool.Name == "elicit_doctor").ProtocolTool;

        foreach (var argument in new[] { "probeElicitation", "probeUrl" })
        {
            Assert.Equal("boolean", tool.InputSchema.GetProperty("properties").GetProperty(argument).GetProperty("type").GetString());
        }

        Assert.True(JsonElement.DeepEquals(
            JsonElement.Parse(await File.ReadAllTextAsync(Path.Combine(AppContext.BaseDirectory, "report.schema.json"), Clients.Cancellation)),
            tool.OutputSchema!.Value));
        Assert.True(tool.Annotations is { ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: false, OpenWorldHint: false });
    }

    [Theory]
    [InlineData(Clients.InitializeEra, false, false, "client did not advertise elicitation")]
    [InlineData(Clients.InitializeEra, false, true, "client did not advertise form mode")]
    [InlineData(Clients.PerRequestEra, false, false, "client did not advertise elicitation")]
    [InlineData(Clients.PerRequestEra, false, true, "client did not advertise form mode")]
    public async Task A_probe_is_not_attempted_and_the_report_says_why(string revision, bool form, bool url, string reason)
    {
        await using var server = PipeServer.Start();
        await using var client = await server.ConnectAsync(Clients.Options(revision, form, url));

        var report = await client.CallDoctorAsync(probeElicitation: true);

        Assert.Equal($$$"""{"elicitationForm":{"attempted":false,"reason":"{{{reason}}}"}}""", report["probes"]!.ToJsonString());
    }

    [Fact]
    public async Task The_tool_can_have_another_name()
    {
        await using var server = PipeServer.Start(builder => builder.WithElicitDoctor(options => options.ToolName = "acme_elicit_doctor"));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: false, url: false));

        var tools = await client.ListToolsAsync(cancellationToken: Clients.Cancellation);

        // PipeServer has called WithElicitDoctor before: the second call changes the options and adds nothing.
        Assert.Equal("acme_elicit_doctor", Assert.Single(tools, tool => tool.Name.Contains("doctor")).Name);
    }

    [Fact]
    public void A_name_must_not_be_blank() => Assert.Throws<ArgumentException>(() => new ElicitDoctorOptions { ToolName = " " });

    [Fact]
    public async Task Adding_the_doctor_twice_keeps_a_malformed_capability_in_the_report()
    {
        await using var server = PipeServer.Start(builder => builder.WithElicitDoctor());
        var client = server.ConnectWire();
        await client.RequestAsync("initialize", """{"protocolVersion":"2025-11-25","capabilities":{"elicitation":true},"clientInfo":{"name":"n","version":"1"}}""");

        Assert.Contains("\"elicitation\":true", await client.RequestReportAsync());
    }

    [Fact]
    public async Task A_malformed_capability_is_logged()
    {
        var log = new RecordingLoggerProvider();
        await using var server = PipeServer.Start(builder => builder.Services.AddLogging(logging => logging.AddProvider(log)));
        var client = server.ConnectWire();
        await client.RequestAsync("initialize", """{"protocolVersion":"2025-11-25","capabilities":{"elicitation":true},"clientInfo":{"name":"n","version":"1"}}""");

        var (level, message) = Assert.Single(log.Entries, entry => entry.Message.Contains("elicitation"));
        Assert.Equal(LogLevel.Warning, level);
        Assert.StartsWith("The client declared the capability elicitation as true", message);
    }

    [Fact]
    public async Task A_session_whose_handshake_was_elsewhere_is_reported_from_what_the_sdk_kept()
    {
        await using var server = PipeServer.Start(builder => builder.Services.Configure<McpServerOptions>(options =>
        {
            options.KnownClientCapabilities = new() { Elicitation = new() { Form = new() } };
            options.KnownClientInfo = new() { Name = "migrated", Version = "1" };
        }));

        var report = await server.ConnectWire().RequestReportAsync();

        ReportSchema.AssertValid(report);
        Assert.Contains("\"name\":\"migrated\"", report);
        Assert.Contains("\"elicitationForm\":true", report);
        Assert.Contains("\"code\":\"echo_not_verbatim\"", report);
    }
}
