using System.Collections.Concurrent;
using System.Diagnostics;
using ElicitDoctor.Interop;

namespace ElicitDoctor.Soak;

/// <summary>Runs the kinds of hosts in turn, many at a time, on the shared engine and on engines of its own.</summary>
internal sealed class Soak
{
    internal const int DefaultProbes = 1_000_000;

    /// <summary>So few that each tenth still has every kind of host.</summary>
    internal const int FewestProbes = 1000;

    private const int Parts = 10;
    private const int AtATime = 256;
    private const int ProbesPerCollection = 5000;
    private const int ProbesPerShutdown = 2000;
    private const int ProbesAtShutdown = 20;
    private const long MostGrowth = 5_000_000;

    /// <summary>Far beyond what the slowest probe takes: whoever waits that long waits for something that never comes.</summary>
    private static readonly TimeSpan Standstill = TimeSpan.FromMinutes(2);

    private readonly int _probes;
    private readonly Kind[] _kinds = [.. Kind.All];
    private readonly int[] _ended;
    private readonly ConcurrentQueue<string> _problems = new();
    private readonly DoctorReport _report = Doctor.Report(Handshakes.FormAndUrl);
    private readonly DoctorReport _silent = Doctor.Report(Handshakes.NoElicitation);
    private int _total;

    internal Soak(int probes)
    {
        _probes = probes;
        _ended = new int[_kinds.Length];
    }

    /// <summary>Prints progress and figures, and gives what is wrong.</summary>
    internal async Task<IReadOnlyList<string>> RunAsync()
    {
        Console.WriteLine($"{_probes:N0} probes by {_kinds.Length} kinds of hosts, {AtATime} at a time");
        Console.WriteLine("|    probes | per second | open | handles | working set MB | managed heap MB |");
        Console.WriteLine("|----------:|-----------:|-----:|--------:|---------------:|----------------:|");
        long first = 0, last = 0;
        for (int part = 0; part < Parts; part++)
        {
            (int from, int to) = (Share(part), Share(part + 1));
            var watch = Stopwatch.StartNew();
            if (!await CompletesAsync(RunPartAsync(from, to)))
            {
                return [.. _problems];
            }

            double perSecond = (to - from) / watch.Elapsed.TotalSeconds;
            Collect();
            last = WorkingSet.InUse();
            first = part == 0 ? last : first;
            Console.WriteLine(
                $"| {to,9:N0} | {perSecond,10:N0} | {ProbeEngine.Shared.OpenProbes,4} | {ProbeCallbacks.Rooted,7} "
                + $"| {last / 1e6,14:F1} | {GC.GetTotalMemory(forceFullCollection: false) / 1e6,15:F1} |");
        }

        for (int kind = 0; kind < _kinds.Length; kind++)
        {
            Console.WriteLine($"{_ended[kind],9:N0} × {_kinds[kind].Name}");
            Require(_ended[kind] > 0, $"no probe of the kind \"{_kinds[kind].Name}\" has ended");
        }

        Require(_total == _probes, $"{_total:N0} of {_probes:N0} tasks completed");
        Require(ProbeEngine.Shared.OpenProbes == 0, $"{ProbeEngine.Shared.OpenProbes} probes are still open");
        Require(ProbeCallbacks.Rooted == 0, $"{ProbeCallbacks.Rooted} handles are left");
        Console.WriteLine(
            $"The working set grew by {(last - first) / 1e6:F1} MB after the first tenth; at most {MostGrowth / 1e6:F1} MB is allowed.");
        Require(last - first < MostGrowth, $"the working set grew by {last - first:N0} bytes after the first tenth");
        return [.. _problems];
    }

    private async Task RunPartAsync(int from, int to)
    {
        await using var own = new ProbeEngine();
        var parallel = new ParallelOptions { MaxDegreeOfParallelism = AtATime };
        await Parallel.ForAsync(from, to, parallel, async (i, _) =>
        {
            int kind = i % _kinds.Length;
            await ProbeAsync(_kinds[kind], i / _kinds.Length % 2 == 0 ? ProbeEngine.Shared : own, i);
            Interlocked.Increment(ref _ended[kind]);
            int total = Interlocked.Increment(ref _total);
            if (total % ProbesPerCollection == 0)
            {
                Collect();
            }

            if (total % ProbesPerShutdown == 0)
            {
                await EndWithOpenProbesAsync();
            }
        });
        Require(own.OpenProbes == 0, $"{own.OpenProbes} probes of an own engine are still open");
    }

    private async Task ProbeAsync(Kind kind, ProbeEngine engine, int number)
    {
        // Not disposed: it may still be calling its callbacks when the probe has ended by one of them.
        CancellationTokenSource? source = kind.IsCancelled ? new() : null;
        string outcome;
        try
        {
            Task<DoctorReport> probe = engine.ProbeAsync(
                kind.IsSilent ? _silent : _report,
                kind.Host(source),
                kind.Options,
                source?.Token ?? CancellationToken.None);
            DoctorReport probed = await probe;
            outcome = kind.WhatTheReportSays(probed);
            // Half of them are left to the collector.
            if (number % 2 == 0)
            {
                probed.Dispose();
            }
        }
        catch (OperationCanceledException e) when (source is not null && e.CancellationToken == source.Token)
        {
            outcome = Kind.Cancelled;
        }
        catch (Exception e)
        {
            outcome = e.ToString();
        }

        Require(outcome == kind.Expected, $"\"{kind.Name}\" ended with {outcome} instead of {kind.Expected}");
    }

    /// <summary>An engine that ends while its probes are open, some of them just being answered.</summary>
    private async Task EndWithOpenProbesAsync()
    {
        var engine = new ProbeEngine();
        Task<DoctorReport>[] open = [.. Enumerable.Range(0, ProbesAtShutdown).Select(i =>
            engine.ProbeAsync(_report, (i % 2 == 0 ? Kind.AnswersAtOnce : Kind.NeverAnswers).Host(null)))];
        await engine.DisposeAsync();
        foreach (Task<DoctorReport> probe in open)
        {
            try
            {
                (await probe).Dispose();
            }
            catch (ObjectDisposedException)
            {
                // As it must be.
            }
        }

        Require(engine.OpenProbes == 0, $"{engine.OpenProbes} probes of a disposed engine are still open");
    }

    private async Task<bool> CompletesAsync(Task part)
    {
        int before;
        do
        {
            before = Volatile.Read(ref _total);
            if (await Task.WhenAny(part, Task.Delay(Standstill)) == part)
            {
                await part;
                return true;
            }
        }
        while (Volatile.Read(ref _total) > before);

        Require(
            false,
            $"nothing has ended for {Standstill}: {_total:N0} of {_probes:N0} tasks completed, "
            + $"{ProbeEngine.Shared.OpenProbes} probes of the shared engine and {ProbeCallbacks.Rooted} handles are left");
        return false;
    }

    private int Share(int part) => (int)((long)_probes * part / Parts);

    private void Require(bool condition, string problem)
    {
        if (!condition && _problems.Count < 20)
        {
            _problems.Enqueue(problem);
        }
    }

    private static void Collect()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
        GC.WaitForPendingFinalizers();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
    }
}
