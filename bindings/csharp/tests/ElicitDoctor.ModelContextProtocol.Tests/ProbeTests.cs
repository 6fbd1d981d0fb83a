using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The doctor asks a real client over pipes, in both eras, and reports what it did.</summary>
public sealed class ProbeTests
{
    private const string CallDoctor = """{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"elicit_doctor","arguments":{"probeElicitation":true}}}""";

    private static readonly TimeSpan ShortTimeout = TimeSpan.FromMilliseconds(50);

    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task An_answer_that_comes_at_once_is_a_machines(string revision)
    {
        (ElicitResult Answer, string Outcome)[] cases =
        [
            (Clients.Accept("ok"), "working machine accepted_too_fast"),
            (Clients.Accept("left"), "working machine first_option_filled_in"),
            (Clients.Accept("right"), "working machine wrong_option_picked"),
            (Clients.Accept("yes"), "unsupported machine answer_outside_schema"),
            (new() { Action = "accept" }, "unsupported machine accepted_without_content"),
            (new() { Action = "decline" }, "advertised_but_autocanceled machine refused_too_fast"),
            (new() { Action = "cancel" }, "advertised_but_autocanceled machine refused_too_fast"),
        ];
        foreach (var (answer, outcome) in cases)
        {
            await using var server = PipeServer.Start();
            await using var client = await server.ConnectAsync(Clients.Options(revision, (_, _) => Task.FromResult(answer)));

            var probe = (await client.CallDoctorAsync(probeElicitation: true)).FormProbe();

            Assert.Equal((answer.Action, outcome), ((string?)probe["action"], probe.Outcome()));
        }
    }

    // What the initialize era measures is the native clock's time: TryHosts plays the persons there.
    [Fact]
    public async Task An_answer_that_takes_its_time_is_a_persons()
    {
        (ElicitResult Answer, string Outcome)[] cases =
        [
            (Clients.Accept("ok"), "working person"),
            (new() { Action = "decline" }, "user_declined person"),
            (new() { Action = "cancel" }, "user_declined person"),
            (Clients.Accept("left"), "working unknown first_option_filled_in"),
        ];
        foreach (var (answer, outcome) in cases)
        {
            var time = new FakeTimeProvider();
            await using var server = PipeServer.Start(builder => builder.Services.AddSingleton<TimeProvider>(time));
            await using var client = await server.ConnectAsync(Clients.Options(Clients.PerRequestEra, (_, _) =>
            {
                time.Advance(TimeSpan.FromMilliseconds(4200));
                return Task.FromResult(answer);
            }));

            var probe = (await client.CallDoctorAsync(probeElicitation: true)).FormProbe();

            Assert.Equal((4200, outcome), ((int)probe["latencyMs"]!, probe.Outcome()));
        }
    }

    [Fact]
    public async Task A_declared_method_that_is_not_there_is_named()
    {
        await using var server = PipeServer.Start();
        var options = Clients.Options(Clients.InitializeEra, form: true, url: false);
        options.Handlers = new();
        await using var client = await server.ConnectAsync(options);

        var probe = (await client.CallDoctorAsync(probeElicitation: true)).FormProbe();

        Assert.Equal("unsupported unknown declared_but_method_not_found", probe.Outcome());
        Assert.Contains("(error -32601)", (string?)probe["reason"]);
    }

    [Fact]
    public async Task A_host_that_throws_gets_a_report_with_its_error()
    {
        await using var server = PipeServer.Start();
        await using var client = await server.ConnectAsync(Clients.Options(
            Clients.InitializeEra, (_, _) => throw new McpProtocolException("the dialog is on fire", McpErrorCode.InternalError)));

        var probe = (await client.CallDoctorAsync(probeElicitation: true)).FormProbe();

        Assert.Equal(("error", "unsupported unknown"), ((string?)probe["action"], probe.Outcome()));
        Assert.Equal("the dialog is on fire (error -32603)", (string?)probe["reason"]);
    }

    [Fact]
    public async Task In_the_per_request_era_the_call_of_a_client_that_throws_fails_and_the_server_goes_on()
    {
        await using var server = PipeServer.Start();
        await using var client = await server.ConnectAsync(Clients.Options(
            Clients.PerRequestEra, (_, _) => throw new InvalidOperationException("the dialog is on fire")));

        await Assert.ThrowsAnyAsync<Exception>(() => client.CallDoctorAsync(probeElicitation: true));

        Assert.True((await client.CallDoctorAsync()).Supports("elicitationForm"));
    }

    [Fact]
    public async Task A_question_that_nobody_answers_is_taken_back_at_the_time_out()
    {
        await using var server = PipeServer.Start(builder => builder.WithElicitDoctor(options => options.ProbeTimeout = ShortTimeout));
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync(CallDoctor);
        var question = await client.ReadRequestAsync("elicitation/create");

        var takenBack = await client.ReadRequestAsync("notifications/cancelled");
        var report = WireClient.ToolText(WireClient.Result(await client.ReadAnswerAsync(50)));

        Assert.True(JsonElement.DeepEquals(question.GetProperty("id"), takenBack.GetProperty("params").GetProperty("requestId")));
        Assert.Contains("\"action\":\"timeout\"", report);
        Assert.Contains("\"verdict\":\"advertised_but_unanswered\"", report);
    }

    [Fact]
    public async Task A_late_answer_changes_nothing_and_the_session_goes_on()
    {
        await using var server = PipeServer.Start(builder => builder.WithElicitDoctor(options => options.ProbeTimeout = ShortTimeout));
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync(CallDoctor);
        var question = await client.ReadRequestAsync("elicitation/create");
        var report = WireClient.ToolText(WireClient.Result(await client.ReadAnswerAsync(50)));

        await client.RespondAsync(question, """
            "result":{"action":"accept","content":{"value":"ok"}}
            """);

        Assert.Contains("\"verdict\":\"advertised_but_unanswered\"", report);
        Assert.DoesNotContain("\"probes\"", await client.RequestReportAsync());
    }

    [Fact]
    public async Task A_question_is_taken_back_when_the_call_is_cancelled()
    {
        await using var server = PipeServer.Start();
        var (asked, takenBack) = (new TaskCompletionSource(), new TaskCompletionSource());
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, async (_, cancellationToken) =>
        {
            asked.SetResult();
            await Cancelled(cancellationToken);
            takenBack.SetResult();
            return new();
        }));
        using var impatience = CancellationTokenSource.CreateLinkedTokenSource(Clients.Cancellation);
        var call = client.CallToolAsync(
            "elicit_doctor", new Dictionary<string, object?> { ["probeElicitation"] = true }, cancellationToken: impatience.Token);
        await asked.Task.WaitAsync(Clients.Cancellation);

        await impatience.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await call);
        await takenBack.Task.WaitAsync(Clients.Cancellation);
    }

    [Theory]
    [InlineData(60, true)]
    [InlineData(59, false)]
    public async Task A_time_out_as_long_as_the_hosts_own_is_found(int seconds, bool isFound)
    {
        await using var server = PipeServer.Start(builder => builder.WithElicitDoctor(options => options.ProbeTimeout = TimeSpan.FromSeconds(seconds)));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, (_, _) => Task.FromResult(Clients.Accept("ok"))));

        var report = await client.CallDoctorAsync(probeElicitation: true);

        Assert.Equal(isFound, report.FindingCodes().Contains("probe_timeout_too_long"));
    }

    [Fact]
    public void Times_must_be_positive()
    {
        var options = new ElicitDoctorOptions();

        Assert.Throws<ArgumentOutOfRangeException>(() => options.ProbeTimeout = TimeSpan.Zero);
        Assert.Throws<ArgumentOutOfRangeException>(() => options.StateLifetime = TimeSpan.FromSeconds(-1));
    }

    private static async Task Cancelled(CancellationToken cancellationToken)
    {
        var cancelled = new TaskCompletionSource();
        await using (cancellationToken.Register(cancelled.SetResult))
        {
            await cancelled.Task.WaitAsync(Clients.Cancellation);
        }
    }
}
