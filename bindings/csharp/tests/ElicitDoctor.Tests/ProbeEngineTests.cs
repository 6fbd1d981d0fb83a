using System.Runtime.CompilerServices;
using ElicitDoctor.Interop;
using Xunit;

namespace ElicitDoctor.Tests;

[Collection(nameof(Probes))]
public class ProbeEngineTests
{
    private readonly DoctorReport _report = Handshakes.Report(Handshakes.FormAndUrl);

    private static CancellationToken TestToken => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_thousand_probes_are_open_at_once_and_each_gets_its_own_answer()
    {
        const int Count = 1000;
        await using var engine = new ProbeEngine();
        HeldHost[] hosts = [.. Enumerable.Range(0, Count).Select(_ => new HeldHost())];
        Task<DoctorReport>[] probes = [.. hosts.Select(host => engine.ProbeAsync(_report, host.AskAsync, Probes.Patient, TestToken))];
        await Task.WhenAll(hosts.Select(host => host.Asked));
        Assert.Equal(Count, engine.OpenProbes);
        Assert.Equal(Count, ProbeCallbacks.Rooted);

        Parallel.For(0, Count, i => hosts[i].Answer($$$"""{"action":"accept","content":{"value":"number {{{i}}}"}}"""));
        DoctorReport[] probed = await Task.WhenAll(probes);

        Assert.Equal(0, engine.OpenProbes);
        Assert.Equal(0, ProbeCallbacks.Rooted);
        for (int i = 0; i < Count; i++)
        {
            Assert.Equal($"number {i}", Probes.Outcome(probed[i]).Text("data"));
            probed[i].Dispose();
        }
    }

    [Fact]
    public async Task The_shared_engine_serves_everybody_and_outlives_its_disposal()
    {
        var host = new HeldHost();
        Task<DoctorReport> probe = ProbeEngine.Shared.ProbeAsync(_report, host.AskAsync, Probes.Patient, TestToken);
        await host.Asked;
        Assert.Equal(1, ProbeEngine.Shared.OpenProbes);

        await ProbeEngine.Shared.DisposeAsync();
        host.Answer(Probes.Accept);

        using DoctorReport probed = await probe;
        Assert.Equal("accept", Probes.Outcome(probed).Text("action"));
        Assert.Equal(0, ProbeEngine.Shared.OpenProbes);
        Assert.Same(ProbeEngine.Shared, ProbeEngine.Shared);
    }

    [Fact]
    public async Task More_probes_than_allowed_are_refused_until_one_ends()
    {
        await using var engine = new ProbeEngine(new ProbeEngineOptions { MaxOpenProbes = 1 });
        var host = new HeldHost();
        Task<DoctorReport> first = engine.ProbeAsync(_report, host.AskAsync, Probes.Patient, TestToken);

        var exception = await Assert.ThrowsAsync<ElicitDoctorException>(
            () => engine.ProbeAsync(_report, Probes.Answers(Probes.Accept), Probes.Patient, TestToken));
        Assert.Equal(ElicitStatus.Full, exception.Status);
        Assert.Equal(1, ProbeCallbacks.Rooted);
        await host.Asked;
        host.Answer(Probes.Accept);
        (await first).Dispose();

        using DoctorReport probed = await engine.ProbeAsync(_report, Probes.Answers(Probes.Accept), Probes.Patient, TestToken);
        Assert.Equal("accept", Probes.Outcome(probed).Text("action"));
    }

    [Fact]
    public async Task Disposing_ends_the_open_probes_and_tells_their_hosts()
    {
        var engine = new ProbeEngine();
        HeldHost[] hosts = [.. Enumerable.Range(0, 100).Select(_ => new HeldHost())];
        Task<DoctorReport>[] probes = [.. hosts.Select(host => engine.ProbeAsync(_report, host.AskAsync, Probes.Patient, TestToken))];
        await Task.WhenAll(hosts.Select(host => host.Asked));

        await engine.DisposeAsync();

        foreach (Task<DoctorReport> probe in probes)
        {
            var exception = await Assert.ThrowsAsync<ObjectDisposedException>(() => probe);
            Assert.Equal(nameof(ProbeEngine), exception.ObjectName);
        }

        await Task.WhenAll(hosts.Select(host => host.Cancelled));
        Assert.Equal(0, engine.OpenProbes);
        Assert.Equal(0, ProbeCallbacks.Rooted);
        Array.ForEach(hosts, host => host.Answer(Probes.Accept));
    }

    [Fact]
    public async Task A_disposed_engine_starts_nothing()
    {
        var engine = new ProbeEngine();
        await engine.DisposeAsync();
        var host = new HeldHost();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => engine.ProbeAsync(_report, host.AskAsync, Probes.Patient, TestToken));

        Assert.False(host.Asked.IsCompleted);
        Assert.Equal(0, ProbeCallbacks.Rooted);
    }

    [Fact]
    public async Task An_engine_may_be_disposed_while_probes_start()
    {
        for (int round = 0; round < 50; round++)
        {
            var engine = new ProbeEngine();
            Task<Task<DoctorReport>>[] starting = [.. Enumerable.Range(0, 4).Select(_ =>
                Task.Run(() => engine.ProbeAsync(_report, Probes.Answers(Probes.Accept), Probes.Patient, TestToken).ContinueWith(
                    ended => ended, TaskScheduler.Default)))];
            ValueTask disposal = engine.DisposeAsync();

            foreach (Task<DoctorReport> ended in await Task.WhenAll(starting))
            {
                Assert.True(
                    ended.IsCompletedSuccessfully || ended.Exception?.InnerException is ObjectDisposedException,
                    ended.Exception?.ToString());
            }

            await disposal;
        }

        Assert.Equal(0, ProbeCallbacks.Rooted);
    }

    [Fact]
    public async Task A_host_may_dispose_the_engine_that_asks_it()
    {
        var engine = new ProbeEngine();

        Task<DoctorReport> probe = engine.ProbeAsync(
            _report,
            async (_, _) =>
            {
                await engine.DisposeAsync();
                return Probes.Utf8(Probes.Accept);
            },
            Probes.Patient,
            TestToken);

        await Assert.ThrowsAsync<ObjectDisposedException>(() => probe);
    }

    [Fact]
    public async Task A_callback_of_the_hosts_token_may_wait_for_the_disposal_of_the_engine()
    {
        var engine = new ProbeEngine();
        var disposed = new TaskCompletionSource();

        Task<DoctorReport> probe = engine.ProbeAsync(
            _report,
            (_, token) =>
            {
                token.Register(() =>
                {
                    engine.DisposeAsync().AsTask().Wait(CancellationToken.None);
                    disposed.SetResult();
                });
                return Probes.NeverAnswers(default, token);
            },
            Probes.Impatient,
            TestToken);

        await disposed.Task;
        Assert.Equal("timeout", Probes.Outcome(await probe).Text("action"));
    }

    [Fact]
    public async Task Disposing_twice_and_at_once_is_disposing()
    {
        var engine = new ProbeEngine();

        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(async () => await engine.DisposeAsync())));
        await engine.DisposeAsync();

        Assert.Equal(0, engine.OpenProbes);
    }

    [Fact]
    public async Task A_disposed_engine_has_no_thread()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "reads the threads of the process in /proc");
        HashSet<string> before = EngineThreads();
        var engine = new ProbeEngine();
        (await engine.ProbeAsync(_report, Probes.Answers(Probes.Accept), Probes.Patient, TestToken)).Dispose();
        string thread = Assert.Single(EngineThreads().Except(before));

        await engine.DisposeAsync();

        await UntilItIsGoneAsync(thread);
    }

    [Fact]
    public async Task An_engine_that_nobody_disposes_ends_after_its_last_probe()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "reads the threads of the process in /proc");
        HashSet<string> before = EngineThreads();
        var host = new HeldHost();
        Task<DoctorReport> probe = ProbeOnAForgottenEngine(host);
        await host.Asked;
        CollectEverything();
        string thread = Assert.Single(EngineThreads().Except(before));

        host.Answer(Probes.Accept);
        Assert.Equal("accept", Probes.Outcome(await probe).Text("action"));

        await UntilItIsGoneAsync(thread);
    }

    [Fact]
    public async Task Hosts_run_on_the_thread_pool_with_the_context_of_their_caller()
    {
        var local = new AsyncLocal<string> { Value = "the caller's" };
        (bool, string?) seen = default;
        (bool, string?) seenByCallback = default;
        var called = new TaskCompletionSource();

        Task<DoctorReport> probe = ProbeEngine.Shared.ProbeAsync(
            _report,
            (_, token) =>
            {
                seen = (Thread.CurrentThread.IsThreadPoolThread, local.Value);
                token.Register(() =>
                {
                    seenByCallback = (Thread.CurrentThread.IsThreadPoolThread, local.Value);
                    called.SetResult();
                });
                return Probes.NeverAnswers(default, token);
            },
            Probes.Impatient,
            TestToken);
        bool continuedOnPool = await probe.ContinueWith(
            _ => Thread.CurrentThread.IsThreadPoolThread,
            TestToken,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);
        await called.Task;

        Assert.Equal((true, "the caller's"), seen);
        Assert.Equal((true, "the caller's"), seenByCallback);
        Assert.True(continuedOnPool);
    }

    [Fact]
    public async Task A_caller_without_a_flowing_context_is_served_too()
    {
        Task<DoctorReport> probe;
        using (ExecutionContext.SuppressFlow())
        {
            probe = ProbeEngine.Shared.ProbeAsync(_report, Probes.Answers(Probes.Accept), Probes.Patient, TestToken);
        }

        Assert.Equal("accept", Probes.Outcome(await probe).Text("action"));
    }

    [Fact]
    public async Task A_host_or_a_continuation_that_blocks_keeps_no_other_probe_waiting()
    {
        await using var engine = new ProbeEngine();
        using var release = new ManualResetEventSlim();
        Task<DoctorReport> blockedInHost = engine.ProbeAsync(
            _report,
            (_, _) =>
            {
                release.Wait(CancellationToken.None);
                return new ValueTask<ReadOnlyMemory<byte>>(Probes.Utf8(Probes.Accept));
            },
            Probes.Patient,
            TestToken);
        Task blockedAfterwards = engine.ProbeAsync(_report, Probes.Answers(Probes.Accept), Probes.Patient, TestToken).ContinueWith(
            _ => release.Wait(CancellationToken.None),
            TestToken,
            TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default);

        using DoctorReport other = await engine.ProbeAsync(_report, Probes.Answers(Probes.Accept), Probes.Patient, TestToken);
        Assert.Equal("accept", Probes.Outcome(other).Text("action"));

        release.Set();
        await blockedAfterwards;
        Assert.Equal("accept", Probes.Outcome(await blockedInHost).Text("action"));
    }

    [Fact]
    public async Task A_probe_that_has_ended_holds_on_to_nothing()
    {
        (WeakReference host, Task<DoctorReport> probe) = ProbeAForgottenHost();
        Assert.Equal("timeout", Probes.Outcome(await probe).Text("action"));

        // Off the stack of the probe's own last step, which this continuation runs on.
        await Task.Yield();
        CollectEverything();

        Assert.False(host.IsAlive);
        Assert.Equal(0, ProbeCallbacks.Rooted);
    }

    [Fact]
    public async Task Wrong_arguments_are_refused_and_hold_on_to_nothing()
    {
        DoctorReport disposed = Handshakes.Report(Handshakes.FormAndUrl);
        disposed.Dispose();
        ProbeHost host = Probes.Answers(Probes.Accept);

        await Assert.ThrowsAsync<ArgumentNullException>(() => ProbeEngine.Shared.ProbeAsync(null!, host, cancellationToken: TestToken));
        await Assert.ThrowsAsync<ArgumentNullException>(() => ProbeEngine.Shared.ProbeAsync(_report, null!, cancellationToken: TestToken));
        await Assert.ThrowsAsync<ObjectDisposedException>(() => ProbeEngine.Shared.ProbeAsync(disposed, host, cancellationToken: TestToken));
        var mode = await Assert.ThrowsAsync<ElicitDoctorException>(() => ProbeEngine.Shared.ProbeAsync(
            _report, host, new ProbeOptions { Mode = (ElicitationMode)9 }, TestToken));
        Assert.Equal(ElicitStatus.InvalidArgument, mode.Status);
        Assert.Throws<ArgumentOutOfRangeException>(() => new ProbeOptions { Timeout = TimeSpan.Zero });
        Assert.Throws<ArgumentOutOfRangeException>(() => new ProbeOptions { Timeout = Timeout.InfiniteTimeSpan });
        Assert.Throws<ArgumentOutOfRangeException>(() => new ProbeEngineOptions { MaxOpenProbes = 0 });
        Assert.Equal(0, ProbeCallbacks.Rooted);
    }

    [Fact]
    public async Task The_longest_time_out_is_one()
    {
        using DoctorReport probed = await ProbeEngine.Shared.ProbeAsync(
            _report, Probes.Answers(Probes.Accept), new ProbeOptions { Timeout = TimeSpan.MaxValue }, TestToken);

        Assert.Equal("accept", Probes.Outcome(probed).Text("action"));
    }

    // Not inlined, so that no local of the caller keeps the engine alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private Task<DoctorReport> ProbeOnAForgottenEngine(HeldHost host) =>
        new ProbeEngine().ProbeAsync(_report, host.AskAsync, Probes.Patient, TestToken);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private (WeakReference Host, Task<DoctorReport> Probe) ProbeAForgottenHost()
    {
        ProbeHost host = new HeldHost().AskAsync;
        return (new WeakReference(host.Target), ProbeEngine.Shared.ProbeAsync(_report, host, Probes.Impatient, TestToken));
    }

    private static void CollectEverything()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
    }

    private static HashSet<string> EngineThreads()
    {
        HashSet<string> threads = [];
        foreach (string thread in Directory.EnumerateDirectories("/proc/self/task"))
        {
            try
            {
                if (File.ReadAllText(Path.Combine(thread, "comm")).StartsWith("elicit-doctor", StringComparison.Ordinal))
                {
                    threads.Add(thread);
                }
            }
            catch (IOException)
            {
                // The thread has ended since it was listed.
            }
        }

        return threads;
    }

    /// <summary>The system takes a thread off its list a moment after it has ended.</summary>
    private static async Task UntilItIsGoneAsync(string thread)
    {
        while (EngineThreads().Contains(thread))
        {
            CollectEverything();
            await Task.Yield();
            TestToken.ThrowIfCancellationRequested();
        }
    }
}
