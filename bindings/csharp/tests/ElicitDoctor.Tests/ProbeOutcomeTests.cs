using System.Text.Json;
using Xunit;

namespace ElicitDoctor.Tests;

[Collection(nameof(Probes))]
public class ProbeOutcomeTests
{
    private const int TenMebibytes = 10 * 1024 * 1024;

    private static CancellationToken TestToken => TestContext.Current.CancellationToken;

    /// <summary>What the host answers, and what the report makes of it.</summary>
    public static TheoryData<string, string, string, string?> Answers => new()
    {
        { Probes.Accept, "accept", "working", "accepted_too_fast" },
        { """{"action":"decline"}""", "decline", "advertised_but_autocanceled", "refused_too_fast" },
        { """{"action":"cancel"}""", "cancel", "advertised_but_autocanceled", "refused_too_fast" },
        { """{"action":"accept"}""", "accept", "unsupported", "accepted_without_content" },
        { """{"action":"accept","content":{"value":"left"}}""", "accept", "working", "first_option_filled_in" },
        { """{"action":"accept","content":{"value":"right"}}""", "accept", "working", "wrong_option_picked" },
        { """{"action":"accept","content":{"value":42}}""", "accept", "unsupported", "answer_outside_schema" },
        { """{"action":"shrug"}""", "error", "unsupported", "action_unknown" },
        { "{}", "error", "unsupported", "action_missing" },
        { "[]", "error", "unsupported", "answer_not_an_object" },
        { "null", "error", "unsupported", "answer_not_an_object" },
        { "no JSON", "error", "unsupported", "answer_not_json" },
        { "", "error", "unsupported", "answer_not_json" },
        { """{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}""", "cancel", "advertised_but_autocanceled", "refused_too_fast" },
        {
            """{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}""",
            "error", "unsupported", "declared_but_method_not_found"
        },
    };

    /// <summary>What the host's code throws, and what the report makes of it.</summary>
    public static TheoryData<string, Exception, string, string?> Failures => new()
    {
        { "any exception", new InvalidOperationException("the pipe is closed"), "error", null },
        { "method not found", new ProbeHostException("Method not found", -32601), "error", "declared_but_method_not_found" },
        { "invalid params", new ProbeHostException("Invalid params", -32602), "error", "declared_but_refused" },
        { "lost session", new ProbeHostException("Session not found", -32001), "error", "session_lost" },
        { "time-out by code and message", new ProbeHostException("Request timed out", -32001), "timeout", null },
        { "time-out by status", new ProbeHostException("took too long", 408), "timeout", null },
        { "time-out by flag", new ProbeHostException("gave up", timedOut: true), "timeout", null },
        { "TimeoutException", new TimeoutException("gave up"), "timeout", null },
        { "HttpClient's time-out", new TaskCanceledException("gave up", new TimeoutException()), "timeout", null },
        { "cancelled by the host itself", new OperationCanceledException("not now"), "error", null },
    };

    [Theory]
    [MemberData(nameof(Answers))]
    public async Task Every_answer_has_its_outcome(string answer, string action, string verdict, string? diagnosis)
    {
        JsonElement outcome = await Probes.OutcomeOfAsync(Probes.Answers(answer));

        Assert.Equal(
            (true, action, verdict, diagnosis),
            (outcome.GetProperty("attempted").GetBoolean(), outcome.Text("action"), outcome.Text("verdict"), outcome.Text("diagnosis")));
        Assert.Equal(action == "error" || verdict == "unsupported", outcome.Text("reason") is not null);
    }

    [Theory]
    [MemberData(nameof(Failures))]
    public async Task Every_failure_of_the_host_has_its_outcome(string name, Exception failure, string action, string? diagnosis)
    {
        JsonElement outcome = await Probes.OutcomeOfAsync(Probes.Throws(failure));

        string verdict = action == "timeout" ? "advertised_but_unanswered" : "unsupported";
        Assert.True(
            (action, verdict, diagnosis) == (outcome.Text("action"), outcome.Text("verdict"), outcome.Text("diagnosis")),
            $"{name}: {outcome}");
        Assert.Contains(failure.Message, outcome.Text("reason"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task What_was_delivered_stands_in_the_report()
    {
        JsonElement outcome = await Probes.OutcomeOfAsync(Probes.Answers(Probes.Accept));

        Assert.Equal("ok", outcome.Text("data"));
        Assert.Equal("machine", outcome.Text("answeredBy"));
    }

    [Fact]
    public async Task An_exception_before_the_first_await_is_a_failure_too()
    {
        JsonElement outcome = await Probes.OutcomeOfAsync((_, _) => throw new InvalidOperationException("at once"));

        Assert.Equal(("error", "at once"), (outcome.Text("action"), outcome.Text("reason")));
    }

    [Fact]
    public async Task A_long_message_of_many_lines_is_one_short_line()
    {
        string message = string.Join('\n', Enumerable.Repeat("a line", 1000));

        JsonElement outcome = await Probes.OutcomeOfAsync(Probes.Throws(new InvalidOperationException(message)));

        string reason = Assert.IsType<string>(outcome.Text("reason"));
        Assert.Equal(300, reason.Length);
        Assert.StartsWith("a line a line", reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_that_is_no_text_or_throws_still_ends_the_probe()
    {
        JsonElement surrogate = await Probes.OutcomeOfAsync(Probes.Throws(new InvalidOperationException("half \ud800 a pair")));
        JsonElement throwing = await Probes.OutcomeOfAsync(Probes.Throws(new ThrowingMessageException()));

        Assert.Equal("half \ufffd a pair", surrogate.Text("reason"));
        Assert.Contains(nameof(ThrowingMessageException), throwing.Text("reason"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_answer_of_ten_mebibytes_or_of_no_UTF_8_ends_the_probe()
    {
        JsonElement large = await Probes.OutcomeOfAsync((_, _) => new ValueTask<ReadOnlyMemory<byte>>(new byte[TenMebibytes]));
        JsonElement garbled = await Probes.OutcomeOfAsync((_, _) => new ValueTask<ReadOnlyMemory<byte>>(new byte[] { 0xFF, 0xFE }));
        JsonElement none = await Probes.OutcomeOfAsync((_, _) => default);

        Assert.All([large, garbled, none], outcome => Assert.Equal("answer_not_json", outcome.Text("diagnosis")));
    }

    [Fact]
    public async Task No_answer_is_a_time_out_and_the_host_is_told()
    {
        var host = new HeldHost();

        JsonElement outcome = await Probes.OutcomeOfAsync(host.AskAsync, Probes.Impatient);

        Assert.Equal(("timeout", "advertised_but_unanswered"), (outcome.Text("action"), outcome.Text("verdict")));
        Assert.True(outcome.GetProperty("latencyMs").GetInt64() >= 20, $"it waited {outcome.GetProperty("latencyMs")} ms");
        await host.Cancelled;
    }

    [Fact]
    public async Task A_host_that_ignores_its_token_does_not_keep_the_probe_open()
    {
        await using var engine = new ProbeEngine();
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);

        using DoctorReport probed = await engine.ProbeAsync(report, Probes.NeverAnswers, Probes.Impatient, TestToken);

        Assert.Equal("timeout", Probes.Outcome(probed).Text("action"));
        Assert.Equal(0, engine.OpenProbes);
    }

    [Fact]
    public async Task A_late_answer_or_failure_changes_nothing()
    {
        await using var engine = new ProbeEngine();
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        HeldHost answering = new(), failing = new();
        using DoctorReport first = await engine.ProbeAsync(report, answering.AskAsync, Probes.Impatient, TestToken);
        using DoctorReport second = await engine.ProbeAsync(report, failing.AskAsync, Probes.Impatient, TestToken);
        string before = first.ToJson();

        answering.Answer(Probes.Accept);
        failing.Throw(new InvalidOperationException("late"));
        using DoctorReport next = await engine.ProbeAsync(report, Probes.Answers(Probes.Accept), Probes.Patient, TestToken);

        Assert.Equal(before, first.ToJson());
        Assert.Equal("timeout", Probes.Outcome(second).Text("action"));
        Assert.Equal("accept", Probes.Outcome(next).Text("action"));
    }

    [Theory]
    [InlineData(Handshakes.Nothing, ElicitationMode.Form, "the client's handshake was not seen")]
    [InlineData(Handshakes.ElicitationIsTrue, ElicitationMode.Form, "client did not advertise elicitation")]
    [InlineData(Handshakes.PerRequest, ElicitationMode.Url, "client did not advertise url mode")]
    public async Task A_host_that_did_not_declare_the_mode_is_not_asked(string handshake, ElicitationMode mode, string reason)
    {
        using DoctorReport report = Handshakes.Report(handshake);
        bool asked = false;

        using DoctorReport probed = await ProbeEngine.Shared.ProbeAsync(
            report,
            (_, _) =>
            {
                asked = true;
                return new ValueTask<ReadOnlyMemory<byte>>(Probes.Utf8(Probes.Accept));
            },
            new ProbeOptions { Mode = mode, Url = new Uri("https://example.com/") },
            TestToken);

        JsonElement outcome = Probes.Outcome(probed, mode == ElicitationMode.Url ? "elicitationUrl" : "elicitationForm");
        Assert.False(outcome.GetProperty("attempted").GetBoolean());
        Assert.StartsWith(reason, outcome.Text("reason"), StringComparison.Ordinal);
        Assert.False(asked);
    }

    [Fact]
    public async Task A_time_out_beyond_that_of_a_tool_call_is_a_finding()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        var options = new ProbeOptions { Timeout = TimeSpan.FromSeconds(60) };

        using DoctorReport probed = await ProbeEngine.Shared.ProbeAsync(
            report, Probes.Answers(Probes.Accept), options, TestToken);

        Assert.Equal("probe_timeout_too_long", Assert.Single(probed.Findings).Code);
    }

    [Fact]
    public async Task The_given_report_stays_as_it_is_and_may_be_disposed_while_the_probe_is_open()
    {
        DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        string before = report.ToJson();
        var host = new HeldHost();

        Task<DoctorReport> probe = ProbeEngine.Shared.ProbeAsync(report, host.AskAsync, Probes.Patient, TestToken);
        await host.Asked;
        Assert.Equal(before, report.ToJson());
        report.Dispose();
        host.Answer(Probes.Accept);

        using DoctorReport probed = await probe;
        Assert.Equal("accept", Probes.Outcome(probed).Text("action"));
        Assert.Equal("2025-11-25", probed.Revision);
    }

    [Fact]
    public async Task The_form_has_one_required_choice_and_the_mode_where_the_revision_has_modes()
    {
        JsonElement request = default;
        await Probes.OutcomeOfAsync((sent, _) =>
        {
            request = JsonElement.Parse(sent.Span);
            return new ValueTask<ReadOnlyMemory<byte>>(Probes.Utf8(Probes.Accept));
        });

        Assert.Equal("form", request.Text("mode"));
        Assert.Contains("\"ok\"", request.Text("message"), StringComparison.Ordinal);
        JsonElement choice = request.GetProperty("requestedSchema").GetProperty("properties").GetProperty("value");
        Assert.Equal(["left", "ok", "right"], choice.GetProperty("enum").EnumerateArray().Select(value => value.GetString()));
    }

    [Fact]
    public async Task A_report_probed_twice_has_both_outcomes()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        var url = new ProbeOptions { Mode = ElicitationMode.Url, Url = new Uri("https://example.com/visit") };

        using DoctorReport form = await ProbeEngine.Shared.ProbeAsync(
            report, Probes.Answers(Probes.Accept), Probes.Patient, TestToken);
        using DoctorReport both = await ProbeEngine.Shared.ProbeAsync(
            form, Probes.Answers("""{"action":"decline"}"""), url, TestToken);

        Assert.Equal("accept", Probes.Outcome(both).Text("action"));
        Assert.Equal("decline", Probes.Outcome(both, "elicitationUrl").Text("action"));
    }

    private sealed class ThrowingMessageException : Exception
    {
        public override string Message => throw new InvalidOperationException("no message");
    }
}
