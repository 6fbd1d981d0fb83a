using Xunit;

namespace ElicitDoctor.Tests;

[Collection(nameof(Probes))]
public class ProbeCancellationTests
{
    private readonly DoctorReport _report = Handshakes.Report(Handshakes.FormAndUrl);

    [Fact]
    public async Task A_token_cancelled_before_asks_nobody()
    {
        var host = new HeldHost();
        var token = new CancellationToken(canceled: true);

        Task<DoctorReport> probe = ProbeEngine.Shared.ProbeAsync(_report, host.AskAsync, Probes.Patient, token);

        var exception = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => probe);
        Assert.Equal(token, exception.CancellationToken);
        Assert.True(probe.IsCanceled);
        Assert.False(host.Asked.IsCompleted);
    }

    [Fact]
    public async Task A_token_cancelled_while_the_host_thinks_ends_the_probe_and_tells_the_host()
    {
        await using var engine = new ProbeEngine();
        var host = new HeldHost();
        using var source = new CancellationTokenSource();
        Task<DoctorReport> probe = engine.ProbeAsync(_report, host.AskAsync, Probes.Patient, source.Token);
        await host.Asked;

        source.Cancel();

        var exception = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => probe);
        Assert.Equal(source.Token, exception.CancellationToken);
        Assert.True(probe.IsCanceled);
        Assert.Equal(0, engine.OpenProbes);
        await host.Cancelled;
        host.Answer(Probes.Accept);
    }

    [Fact]
    public async Task A_token_cancelled_at_any_moment_gives_a_report_or_a_cancellation()
    {
        await using var engine = new ProbeEngine();
        int reports = 0, cancellations = 0;
        for (int round = 0; round < 500; round++)
        {
            using var source = new CancellationTokenSource();
            Task<DoctorReport> probe = engine.ProbeAsync(_report, Probes.Answers(Probes.Accept), Probes.Patient, source.Token);
            var cancel = Task.Run(source.Cancel, TestContext.Current.CancellationToken);
            try
            {
                using DoctorReport probed = await probe;
                Assert.Equal("accept", Probes.Outcome(probed).Text("action"));
                reports++;
            }
            catch (OperationCanceledException)
            {
                cancellations++;
            }

            await cancel;
        }

        Assert.Equal(500, reports + cancellations);
        Assert.Equal(0, engine.OpenProbes);
    }

    [Fact]
    public async Task A_token_cancelled_afterwards_changes_nothing()
    {
        using var source = new CancellationTokenSource();
        CancellationToken hostsToken = default;
        using DoctorReport probed = await ProbeEngine.Shared.ProbeAsync(
            _report,
            (_, token) =>
            {
                hostsToken = token;
                return new ValueTask<ReadOnlyMemory<byte>>(Probes.Utf8(Probes.Accept));
            },
            Probes.Patient,
            source.Token);

        source.Cancel();

        Assert.Equal("accept", Probes.Outcome(probed).Text("action"));
        Assert.False(hostsToken.IsCancellationRequested);
    }

    [Fact]
    public async Task An_answer_to_a_cancelled_probe_changes_nothing()
    {
        var host = new HeldHost();
        using var source = new CancellationTokenSource();
        Task<DoctorReport> probe = ProbeEngine.Shared.ProbeAsync(_report, host.AskAsync, Probes.Patient, source.Token);
        await host.Asked;
        source.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => probe);

        host.Answer(Probes.Accept);
        using DoctorReport next = await ProbeEngine.Shared.ProbeAsync(
            _report, Probes.Answers(Probes.Accept), Probes.Patient, TestContext.Current.CancellationToken);

        Assert.True(probe.IsCanceled);
        Assert.Equal("accept", Probes.Outcome(next).Text("action"));
    }

    [Fact]
    public async Task A_host_that_throws_at_its_cancelled_token_changes_nothing()
    {
        await using var engine = new ProbeEngine();
        var thrown = new TaskCompletionSource();

        using DoctorReport probed = await engine.ProbeAsync(
            _report,
            (_, token) =>
            {
                token.Register(() =>
                {
                    thrown.SetResult();
                    throw new InvalidOperationException("thrown by a callback of the token");
                });
                return Probes.NeverAnswers(default, token);
            },
            Probes.Impatient,
            TestContext.Current.CancellationToken);

        await thrown.Task;
        Assert.Equal("timeout", Probes.Outcome(probed).Text("action"));
        using DoctorReport next = await engine.ProbeAsync(
            _report, Probes.Answers(Probes.Accept), Probes.Patient, TestContext.Current.CancellationToken);
        Assert.Equal("accept", Probes.Outcome(next).Text("action"));
    }
}
