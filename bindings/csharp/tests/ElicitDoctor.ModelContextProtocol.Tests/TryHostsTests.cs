using System.Text.Json;
using ElicitDoctor.TestSupport;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The sample programs as a user runs them: TryHosts, which starts StdioServer.</summary>
public sealed class TryHostsTests
{
    [Fact]
    public async Task The_table_says_of_every_host_what_it_declared_and_what_the_doctor_concludes()
    {
        var (exitCode, output, error) = await RunAsync();

        Assert.Equal((0, ""), (exitCode, error));
        string[][] expected =
        [
            ["no elicitation", "2025-11-25", "nothing", "no", ""],
            ["no mode named", "2025-11-25", "{}", "form by request", "info 1"],
            ["forms and URLs", "2025-11-25", """{"form":{},"url":{}}""", "form, url by request", ""],
            ["URLs only", "2025-11-25", """{"url":{}}""", "url by request", ""],
            ["too early for modes", "2025-06-18", """{"form":{},"url":{}}""", "form by request", "warning 2"],
            ["too early to ask", "2025-03-26", "{}", "no", "warning 3"],
            ["malformed", "2025-11-25", "true", "no", "error 4"],
            ["per request", "2026-07-28", """{"form":{},"url":{}}""", "form, url by input_required", ""],
            ["per request, none", "2026-07-28", "nothing", "no", ""],
        ];
        var rows = output.Split('\n').Where(line => line.StartsWith('│')).Skip(1).Select(line => line.Trim('│').Split('│', StringSplitOptions.TrimEntries));
        Assert.Equal(expected, rows);
        Assert.Contains("\n4. error elicitation_not_an_object: ", output);
    }

    [Fact]
    public async Task The_table_is_plain_text_of_at_most_120_columns_when_it_is_piped()
    {
        var (_, output, _) = await RunAsync();

        Assert.DoesNotContain('\e', output);
        Assert.All(output.Split('\n'), line => Assert.InRange(line.Length, 0, 120));
    }

    [Fact]
    public async Task The_reports_come_as_one_json_document()
    {
        var (exitCode, output, error) = await RunAsync("--json");

        Assert.Equal((0, ""), (exitCode, error));
        using var document = JsonDocument.Parse(output);
        var entries = document.RootElement.EnumerateArray().ToList();
        Assert.Equal(9, entries.Count);
        Assert.All(entries, entry => ReportSchema.AssertValid(entry.GetProperty("report").GetRawText()));
        var malformed = entries.Single(entry => entry.GetProperty("host").GetString() == "malformed").GetProperty("report");
        Assert.Equal("true", malformed.GetProperty("initialize").GetProperty("request").GetProperty("capabilities").GetProperty("elicitation").GetRawText());
        Assert.Equal("elicitation_not_an_object", malformed.GetProperty("findings")[0].GetProperty("code").GetString());
    }

    [Fact]
    public async Task Help_is_printed_on_request()
    {
        var (exitCode, output, _) = await RunAsync("--help");

        Assert.Equal(0, exitCode);
        Assert.Contains("usage: TryHosts [--json] [--server PROGRAM]", output);
    }

    [Theory]
    [InlineData("TryHosts does not know the argument --jsn.", "--jsn")]
    [InlineData("--server needs the path of a program.", "--json", "--server")]
    public async Task An_unknown_argument_is_refused_with_the_help(string problem, params string[] arguments)
    {
        var (exitCode, output, error) = await RunAsync(arguments);

        Assert.Equal((2, ""), (exitCode, output));
        Assert.StartsWith(problem, error);
        Assert.Contains("usage: ", error);
    }

    [Theory]
    [InlineData("no-such-program")]
    [InlineData("report.schema.json")]
    public async Task A_server_that_does_not_start_is_named_with_the_reason(string server)
    {
        var path = Path.Combine(AppContext.BaseDirectory, server);

        var (exitCode, output, error) = await RunAsync("--server", path);

        Assert.Equal((1, ""), (exitCode, output));
        Assert.Contains($"got no report from {path}.", error);
        Assert.Contains("--server must name a program", error);
    }

    private static async Task<(int ExitCode, string Output, string Error)> RunAsync(params string[] arguments)
    {
        using var process = SamplePrograms.Start(SamplePrograms.TryHosts, arguments);
        var output = process.StandardOutput.ReadToEndAsync(Clients.Cancellation);
        var error = process.StandardError.ReadToEndAsync(Clients.Cancellation);
        await process.WaitForExitAsync(Clients.Cancellation);
        return (process.ExitCode, await output, await error);
    }
}
