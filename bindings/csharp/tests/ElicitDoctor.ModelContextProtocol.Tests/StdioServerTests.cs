using System.Text.Json;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The sample server in a process of its own.</summary>
public sealed class StdioServerTests
{
    [Theory]
    [InlineData(Clients.InitializeEra, true, "A day in v: ")]
    [InlineData(Clients.PerRequestEra, true, "A day in v: ")]
    [InlineData(Clients.InitializeEra, false, "Nobody can be asked here. ")]
    [InlineData(Clients.PerRequestEra, false, "Nobody can be asked here. ")]
    public async Task It_asks_where_it_can_and_says_what_to_do_where_it_cannot(string revision, bool form, string expected)
    {
        var transport = new StdioClientTransport(new() { Command = SamplePrograms.Dotnet, Arguments = [SamplePrograms.StdioServer] });
        var options = Clients.Options(revision, form, url: false);
        if (form)
        {
            options.Handlers.ElicitationHandler = (_, _) => new(new ElicitResult
            {
                Action = "accept",
                Content = new Dictionary<string, JsonElement> { ["destination"] = JsonElement.Parse("\"v\"") },
            });
        }

        await using var client = await McpClient.CreateAsync(transport, options, cancellationToken: Clients.Cancellation);

        Assert.StartsWith(expected, await client.CallTextAsync("plan_trip"));
        Assert.Equal(form, (await client.CallDoctorAsync()).Supports("elicitationForm"));
    }

    [Fact]
    public async Task Its_standard_output_has_nothing_but_the_protocol()
    {
        using var process = SamplePrograms.Start(SamplePrograms.StdioServer);
        var error = process.StandardError.ReadToEndAsync(Clients.Cancellation);
        var client = new WireClient(process.StandardInput.BaseStream, process.StandardOutput.BaseStream);
        await client.RequestAsync("initialize", """{"protocolVersion":"2025-11-25","capabilities":{"elicitation":true},"clientInfo":{"name":"n","version":"1"}}""");
        await client.SendAsync("this is no JSON");
        await client.RequestReportAsync();
        process.StandardInput.Close();

        // WireClient has read what came so far, and would have failed at a line that is no JSON.
        Assert.Empty(await client.ReadToEndAsync());
        Assert.Contains("The client declared the capability elicitation as true", await error);
        await process.WaitForExitAsync(Clients.Cancellation);
        Assert.Equal(0, process.ExitCode);
    }

    [Theory]
    [InlineData("soon")]
    [InlineData("0")]
    [InlineData("00:00:05")]
    public async Task A_probe_time_out_that_is_none_stops_it_with_a_word_on_what_to_give(string timeout)
    {
        using var process = SamplePrograms.Start(SamplePrograms.StdioServer, $"--ElicitDoctor:ProbeTimeoutSeconds={timeout}");
        process.StandardInput.Close();

        Assert.Contains(
            $"ElicitDoctor:ProbeTimeoutSeconds is \"{timeout}\"; give a number of seconds, such as 40.",
            await process.StandardError.ReadToEndAsync(Clients.Cancellation));
        await process.WaitForExitAsync(Clients.Cancellation);
        Assert.NotEqual(0, process.ExitCode);
    }
}
