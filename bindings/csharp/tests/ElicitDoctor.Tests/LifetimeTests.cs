using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Xunit;

namespace ElicitDoctor.Tests;

/// <summary>Counts the bytes of the process's C heap, so nothing else may run meanwhile.</summary>
[CollectionDefinition(nameof(CountsNativeMemory), DisableParallelization = true)]
public class CountsNativeMemory;

[Collection(nameof(CountsNativeMemory))]
public class LifetimeTests
{
    private const int Reports = 400;
    private const int BytesPerHandshake = 200_000;

    // Reports hold at least this much; the runtime itself comes and goes with some hundred thousand bytes.
    private const long HeldByReports = (long)Reports * BytesPerHandshake;

    private static readonly bool HasMallInfo2 =
        NativeLibrary.TryLoad("libc.so.6", out nint libc) && NativeLibrary.TryGetExport(libc, "mallinfo2", out _);

    [Fact]
    public void A_disposed_report_says_that_it_is()
    {
        DoctorReport report = Handshakes.Report(Handshakes.ElicitationIsTrue);
        _ = (report.Findings, report.Revision);
        report.Dispose();
        report.Dispose();

        Assert.Throws<ObjectDisposedException>(() => report.Support);
        Assert.Throws<ObjectDisposedException>(() => report.Revision);
        Assert.Throws<ObjectDisposedException>(() => report.Delivery);
        Assert.Throws<ObjectDisposedException>(() => report.Findings);
        Assert.Throws<ObjectDisposedException>(() => report.Utf8Length);
        Assert.Throws<ObjectDisposedException>(() => report.ToJson());
        Assert.Throws<ObjectDisposedException>(() => report.TryWriteTo([], out _));
        Assert.Throws<ObjectDisposedException>(() => report.WithSkippedProbe(ElicitationMode.Form, "why"));
    }

    [Fact]
    public void Threads_that_read_while_others_dispose_see_the_whole_report_or_that_it_is_disposed()
    {
        const int Threads = 8;
        for (int round = 0; round < 50; round++)
        {
            DoctorReport report = Doctor.Report(Handshakes.FormAndUrl);
            string expected = report.ToJson();
            using var start = new Barrier(Threads);
            var wrong = new string?[Threads];

            Thread[] threads = [.. Enumerable.Range(0, Threads).Select(index => new Thread(() =>
            {
                start.SignalAndWait();
                try
                {
                    for (int reads = 0; index % 2 == 0 || reads < index; reads++)
                    {
                        string json = report.ToJson();
                        wrong[index] ??= json == expected && report.Support.ElicitationForm ? null : json;
                        // Where processors are few, the threads that dispose must get their turn.
                        Thread.Yield();
                    }
                }
                catch (ObjectDisposedException)
                {
                    return;
                }

                report.Dispose();
            }))];
            Array.ForEach(threads, thread => thread.Start());
            Array.ForEach(threads, thread => thread.Join());

            Assert.All(wrong, Assert.Null);
        }
    }

    [Fact]
    public void Reports_that_nobody_disposes_leak_nothing()
    {
        Assert.SkipUnless(HasMallInfo2, "counts the bytes in use with mallinfo2, which is glibc's");
        byte[] handshake = LargeHandshake();
        CollectEverything();
        long before = NativeBytesInUse();

        long held = MakeAndForget(handshake) - before;
        CollectEverything();
        long left = NativeBytesInUse() - before;

        Assert.True(held > HeldByReports, $"{Reports} reports hold {held} bytes: too few to count");
        Assert.True(left < HeldByReports / 10, $"{left} of {held} bytes are left after the collection");
    }

    [Fact]
    public void A_disposed_report_is_freed_at_once()
    {
        Assert.SkipUnless(HasMallInfo2, "counts the bytes in use with mallinfo2, which is glibc's");
        byte[] handshake = LargeHandshake();
        Doctor.Report(handshake).Dispose();
        CollectEverything();
        long before = NativeBytesInUse();

        for (int i = 0; i < Reports; i++)
        {
            Doctor.Report(handshake).Dispose();
        }

        long left = NativeBytesInUse() - before;
        Assert.True(left < HeldByReports / 10, $"{left} bytes are left after {Reports} reports");
    }

    [Fact]
    public void Refused_handshakes_leak_nothing()
    {
        Assert.SkipUnless(HasMallInfo2, "counts the bytes in use with mallinfo2, which is glibc's");
        const int Refusals = 100_000;

        // An error and its message take 128 bytes of the heap; half of that tells a leak from what the runtime allocates.
        const int LeakOfEach = 128;
        // The compiler's tiers and the runtime's own tables for exceptions come first.
        Refuse(Refusals / 5);
        CollectEverything();
        long before = NativeBytesInUse();

        Refuse(Refusals);

        long left = NativeBytesInUse() - before;
        Assert.True(left < LeakOfEach / 2 * Refusals, $"{left} bytes are left after {Refusals} errors");
    }

    private static void Refuse(int times)
    {
        for (int i = 0; i < times; i++)
        {
            Assert.Throws<ElicitDoctorException>(() => Doctor.Report("nope"u8));
        }
    }

    // Not inlined, so that no local of the caller keeps a report alive.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long MakeAndForget(byte[] handshake)
    {
        var reports = new DoctorReport[Reports];
        for (int i = 0; i < Reports; i++)
        {
            reports[i] = Doctor.Report(handshake);
        }

        long inUse = NativeBytesInUse();
        GC.KeepAlive(reports);
        return inUse;
    }

    private static void CollectEverything()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
    }

    private static byte[] LargeHandshake()
    {
        string name = new('n', BytesPerHandshake);
        return Encoding.UTF8.GetBytes("""{"initialize":{"request":{"capabilities":{"elicitation":{}},"clientInfo":{"name":"NAME","version":"1"}}}}"""
            .Replace("NAME", name, StringComparison.Ordinal));
    }

    private static long NativeBytesInUse()
    {
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
