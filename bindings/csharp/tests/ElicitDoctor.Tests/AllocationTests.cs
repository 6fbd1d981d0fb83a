using System.Buffers;
using System.Text;
using Xunit;

namespace ElicitDoctor.Tests;

public class AllocationTests
{
    // A report of 40 bytes (two words of header, three references) and its handle of 32 (header, pointer, state).
    private const long ReportAndHandle = 72;
    private const int Rounds = 1000;

    private static readonly byte[] Handshake = Encoding.UTF8.GetBytes(Handshakes.FormAndUrl);

    private static readonly byte[] Question =
        "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"}}}}"u8.ToArray();

    // A report that does not leave its method lives on the stack where the compiler sees that, which would blur the count.
    private DoctorReport? _escaped;

    [Fact]
    public void From_span_to_span_only_the_report_and_its_handle_are_allocated()
    {
        var destination = new byte[4096];

        long perRound = AllocatedPerRound(() =>
        {
            using DoctorReport report = _escaped = Doctor.Report(Handshake);
            Assert.True(report.TryWriteTo(destination, out _));
        });

        Assert.Equal(ReportAndHandle, perRound);
    }

    [Fact]
    public void A_buffer_writer_costs_nothing_more()
    {
        var writer = new ArrayBufferWriter<byte>(4096);

        long perRound = AllocatedPerRound(() =>
        {
            writer.ResetWrittenCount();
            using DoctorReport report = _escaped = Doctor.Report(Handshake);
            report.WriteTo(writer);
        });

        Assert.Equal(ReportAndHandle, perRound);
    }

    [Fact]
    public void Reading_what_is_no_text_allocates_nothing()
    {
        using DoctorReport report = Doctor.Report(Handshake);

        long perRound = AllocatedPerRound(() => _ = (report.Support, report.Delivery, report.Utf8Length));

        Assert.Equal(0, perRound);
    }

    [Fact]
    public void Classifying_allocates_nothing()
    {
        Assert.Equal(0, AllocatedPerRound(() => Doctor.Classify(ElicitationAction.Cancel, TimeSpan.FromMilliseconds(8))));
    }

    [Fact]
    public void A_check_without_findings_allocates_nothing()
    {
        using DoctorReport report = Doctor.Report(Handshake);

        long perRound = AllocatedPerRound(() =>
        {
            Assert.True(Doctor.CheckRequest(report, Question) is []);
            Assert.True(Doctor.CheckAnswer(report, Question, "{\"action\":\"accept\",\"content\":{\"ok\":true}}"u8) is []);
        });

        Assert.Equal(0, perRound);
    }

    private static long AllocatedPerRound(Action action)
    {
        action();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Rounds; i++)
        {
            action();
        }

        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(0, allocated % Rounds);
        return allocated / Rounds;
    }
}
