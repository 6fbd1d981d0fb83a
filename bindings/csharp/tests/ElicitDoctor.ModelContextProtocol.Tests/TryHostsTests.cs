using System.Globalization;
using System.Text.Json;
using ElicitDoctor.TestSupport;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The sample programs as a user runs them: TryHosts, which starts StdioServer.</summary>
public sealed class TryHostsTests
{
    private static readonly Lazy<Task<(int ExitCode, string Output, string Error)>> Tables = new(() => RunAsync());

    [Fact]
    public async Task The_first_table_says_of_every_host_what_it_declared_and_what_the_doctor_concludes()
    {
        var (exitCode, output, error) = await Tables.Value;

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
        Assert.Equal(expected, Rows(output).Where(row => row.Length == 5).Skip(1));
        Assert.Contains("\n4. error elicitation_not_an_object: ", output);
    }

    [Fact]
    public async Task The_second_table_says_of_every_host_that_was_asked_what_it_did()
    {
        var (_, output, _) = await Tables.Value;

        string[][] expected =
        [
            ["a person accepts", "2025-11-25", "working", "person", ""],
            ["a person accepts", "2026-07-28", "working", "person", ""],
            ["a person declines", "2025-11-25", "user_declined", "person", ""],
            ["a person declines", "2026-07-28", "user_declined", "person", ""],
            ["cancels by itself", "2025-11-25", "advertised_but_autocanceled", "machine", "refused_too_fast"],
            ["cancels by itself", "2026-07-28", "advertised_but_autocanceled", "machine", "refused_too_fast"],
            ["picks the first", "2025-11-25", "working", "machine", "first_option_filled_in"],
            ["picks the first", "2026-07-28", "working", "machine", "first_option_filled_in"],
            ["accepts, empty", "2025-11-25", "unsupported", "machine", "accepted_without_content"],
            ["accepts, empty", "2026-07-28", "unsupported", "machine", "accepted_without_content"],
            ["has no method", "2025-11-25", "unsupported", "unknown", "declared_but_method_not_found"],
            ["throws", "2025-11-25", "unsupported", "unknown", "the dialog could not be opened"],
            ["never answers", "2025-11-25", "advertised_but_unanswered", "unknown", "no answer arrived before the"],
            ["answers late", "2025-11-25", "advertised_but_unanswered", "unknown", "no answer arrived before the"],
        ];

        // Rows that begin with nothing go on with what did not fit into the row above.
        var rows = Rows(output).Where(row => row is [not "host" and not "", _, _, _, _, _]).ToList();
        Assert.All(rows, row => Assert.Matches("^[0-9]+ ms$", row[4]));
        Assert.Equal(expected.Select(row => row[..2]), rows.Select(row => row[..2]));

        // On a computer that is busy with something else a machine may take as long as a person, and then nobody can tell them apart.
        var judged = expected.Zip(rows).Where(pair => pair.First[3] != "machine" || int.Parse(pair.Second[4].Split(' ')[0], CultureInfo.InvariantCulture) < 2000);
        Assert.All(judged, pair => Assert.Equal(string.Join(" | ", pair.First), string.Join(" | ", [.. pair.Second[..4], pair.Second[5]])));
    }

    [Fact]
    public async Task The_tables_are_plain_text_of_at_most_120_columns_when_they_are_piped()
    {
        var (_, output, _) = await Tables.Value;

        Assert.DoesNotContain('\e', output);
        Assert.DoesNotContain("Waiting", output);
        Assert.All(output.Split('\n'), line => Assert.InRange(line.Length, 0, 120));
    }

    [Fact]
    public async Task The_reports_come_as_one_json_document()
    {
        var (exitCode, output, error) = await RunAsync("--json", "--probe-timeout", "0.3");

        Assert.Equal((0, ""), (exitCode, error));
        using var document = JsonDocument.Parse(output);
        var entries = document.RootElement.EnumerateArray().ToList();
        Assert.Equal(23, entries.Count);
        Assert.All(entries, entry => ReportSchema.AssertValid(entry.GetProperty("report").GetRawText()));
        var malformed = Report("malformed");
        Assert.Equal("true", malformed.GetProperty("initialize").GetProperty("request").GetProperty("capabilities").GetProperty("elicitation").GetRawText());
        Assert.Equal("elicitation_not_an_object", malformed.GetProperty("findings")[0].GetProperty("code").GetString());
        var probe = Report("never answers").GetProperty("probes").GetProperty("elicitationForm");
        Assert.Equal("timeout", probe.GetProperty("action").GetString());
        Assert.True(probe.GetProperty("latencyMs").GetInt64() >= 300, "the time-out is the one of the command line");

        JsonElement Report(string host) => entries.Single(entry => entry.GetProperty("host").GetString() == host).GetProperty("report");
    }

    [Fact]
    public async Task Help_is_printed_on_request()
    {
        var (exitCode, output, _) = await RunAsync("--help");

        Assert.Equal(0, exitCode);
        Assert.Contains("usage: TryHosts [--json] [--probe-timeout SECONDS] [--server PROGRAM]", output);
    }

    [Theory]
    [InlineData("TryHosts does not know the argument --jsn.", "--jsn")]
    [InlineData("--server needs the path of a program.", "--json", "--server")]
    [InlineData("--probe-timeout needs a number of seconds from 0.1 to 40.", "--probe-timeout")]
    [InlineData("--probe-timeout needs a number of seconds from 0.1 to 40.", "--probe-timeout", "soon")]
    [InlineData("--probe-timeout needs a number of seconds from 0.1 to 40.", "--probe-timeout", "60")]
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

    private static IEnumerable<string[]> Rows(string output) =>
        output.Split('\n').Where(line => line.StartsWith('│')).Select(line => line.Trim('│').Split('│', StringSplitOptions.TrimEntries));

    private static async Task<(int ExitCode, string Output, string Error)> RunAsync(params string[] arguments)
    {
        using var process = SamplePrograms.Start(SamplePrograms.TryHosts, arguments);
        var output = process.StandardOutput.ReadToEndAsync(Clients.Cancellation);
        var error = process.StandardError.ReadToEndAsync(Clients.Cancellation);
        await process.WaitForExitAsync(Clients.Cancellation);
        return (process.ExitCode, await output, await error);
    }
}
