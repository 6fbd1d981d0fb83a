using System.Diagnostics;
using System.Runtime.InteropServices;

namespace ElicitDoctor.Benchmarks;

/// <summary>What a probe costs, apart from what the host takes.</summary>
internal sealed record ProbeFigure(string Name, double Measured, string Unit, double Target)
{
    private const int OpenProbes = 10_000;

    /// <summary>Long enough that all are open before the first one's deadline.</summary>
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(2);

    private static readonly ReadOnlyMemory<byte> Answer = """{"action":"accept","content":{"value":"ok"}}"""u8.ToArray();

    /// <summary>A dry run only shows that everything runs: its figures mean nothing.</summary>
    internal static async IAsyncEnumerable<ProbeFigure> MeasureAsync(bool isDry)
    {
        using DoctorReport report = Doctor.Report(ReportBenchmarks.Handshake);
        await using var engine = new ProbeEngine();
        yield return await ReplyToReportAsync(engine, report, isDry ? 100 : 50_000);

        int open = isDry ? 100 : OpenProbes;
        (double managed, double? native) = await MemoryAsync(engine, report, open);
        yield return new ProbeFigure($"managed memory of an open probe, of {open:N0}", managed, "bytes", 1024);
        if (native is { } bytes)
        {
            yield return new ProbeFigure($"native memory of an open probe, of {open:N0}", bytes, "bytes", 1024);
        }

        yield return await LatenessAsync(engine, report, open, isDry ? TimeSpan.FromMilliseconds(50) : Deadline);
    }

    /// <summary>From the moment at which the host has its answer to the continuation of the probe's task.</summary>
    private static async Task<ProbeFigure> ReplyToReportAsync(ProbeEngine engine, DoctorReport report, int rounds)
    {
        var ticks = new long[rounds];
        for (int i = 0; i < rounds; i++)
        {
            long answered = 0;
            DoctorReport probed = await engine.ProbeAsync(report, (_, _) =>
            {
                answered = Stopwatch.GetTimestamp();
                return new ValueTask<ReadOnlyMemory<byte>>(Answer);
            });
            ticks[i] = Stopwatch.GetTimestamp() - answered;
            probed.Dispose();
        }

        Array.Sort(ticks);
        double microseconds = Stopwatch.GetElapsedTime(0, ticks[rounds / 2]).TotalMicroseconds;
        return new ProbeFigure("from reply to completed ProbeAsync, median", microseconds, "µs", 50);
    }

    /// <summary>What open probes hold, each with a token of its caller; the host itself holds nothing.</summary>
    private static async Task<(double Managed, double? Native)> MemoryAsync(ProbeEngine engine, DoctorReport report, int count)
    {
        using var source = new CancellationTokenSource();
        var never = new TaskCompletionSource<ReadOnlyMemory<byte>>();
        int asked = 0;
        var allAsked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var probes = new Task<DoctorReport>[count];
        Collect();
        (long managed, long? native) = (GC.GetTotalMemory(forceFullCollection: true), NativeMemory.InUse());
        for (int i = 0; i < count; i++)
        {
            probes[i] = engine.ProbeAsync(
                report,
                (_, _) =>
                {
                    if (Interlocked.Increment(ref asked) == count)
                    {
                        allAsked.SetResult();
                    }

                    return new ValueTask<ReadOnlyMemory<byte>>(never.Task);
                },
                cancellationToken: source.Token);
        }

        await allAsked.Task;
        Collect();
        managed = GC.GetTotalMemory(forceFullCollection: true) - managed;
        native = NativeMemory.InUse() - native;
        source.Cancel();
        foreach (Task<DoctorReport> probe in probes)
        {
            await probe.ContinueWith(_ => { }, TaskScheduler.Default);
        }

        return ((double)managed / count, (double?)native / count);
    }

    /// <summary>How long after its deadline the last one of many probes is reported as timed out.</summary>
    private static async Task<ProbeFigure> LatenessAsync(ProbeEngine engine, DoctorReport report, int count, TimeSpan timeout)
    {
        var never = new TaskCompletionSource<ReadOnlyMemory<byte>>();
        var options = new ProbeOptions { Timeout = timeout };
        var probes = new Task<TimeSpan>[count];
        for (int i = 0; i < count; i++)
        {
            probes[i] = TimedAsync();
        }

        TimeSpan latest = (await Task.WhenAll(probes)).Max() - timeout;
        return new ProbeFigure($"lateness of the last of {count:N0} time-outs", latest.TotalMilliseconds, "ms", 100);

        async Task<TimeSpan> TimedAsync()
        {
            long start = Stopwatch.GetTimestamp();
            DoctorReport probed = await engine.ProbeAsync(
                report, (_, _) => new ValueTask<ReadOnlyMemory<byte>>(never.Task), options);
            TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
            probed.Dispose();
            return elapsed;
        }
    }

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
    }

    /// <summary>The bytes that the process has from malloc, where glibc tells.</summary>
    private static class NativeMemory
    {
        private static readonly bool HasMallInfo2 =
            NativeLibrary.TryLoad("libc.so.6", out nint libc) && NativeLibrary.TryGetExport(libc, "mallinfo2", out _);

        internal static long? InUse()
        {
            if (!HasMallInfo2)
            {
                return null;
            }

            MallInfo info = MallInfo2();
            return (long)(info.UsedInArenas + info.UsedInMappings);
        }

        [DllImport("libc.so.6", EntryPoint = "mallinfo2")]
        private static extern MallInfo MallInfo2();

        /// <summary><c>struct mallinfo2</c> of glibc's malloc.h: ten counters.</summary>
        [StructLayout(LayoutKind.Sequential)]
        private readonly struct MallInfo
        {
            private readonly nuint _arena, _ordblks, _smblks, _hblks;
            internal readonly nuint UsedInMappings;
            private readonly nuint _usmblks, _fsmblks;
            internal readonly nuint UsedInArenas;
            private readonly nuint _fordblks, _keepcost;
        }
    }
}
