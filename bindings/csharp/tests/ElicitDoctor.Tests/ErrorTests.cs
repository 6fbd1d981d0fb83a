using System.Text;
using Xunit;

namespace ElicitDoctor.Tests;

public class ErrorTests
{
    private const int OneMebibyte = 1024 * 1024;

    /// <summary>Input, status, and what the message must name: the byte, the limit or the place.</summary>
    public static TheoryData<string, byte[], ElicitStatus, string> NoHandshakes => new()
    {
        { "nothing", [], ElicitStatus.InvalidJson, "" },
        { "not JSON", "{\"initialize\":nope}"u8.ToArray(), ElicitStatus.InvalidJson, "15" },
        { "cut off", "{\"initialize\":{"u8.ToArray(), ElicitStatus.InvalidJson, "15" },
        { "not UTF-8", [(byte)'{', (byte)'"', 0xFF, (byte)'"', (byte)'}'], ElicitStatus.InvalidUtf8, "2" },
        { "a number", "42"u8.ToArray(), ElicitStatus.WrongShape, "" },
        { "neither era", "{\"hello\":1}"u8.ToArray(), ElicitStatus.WrongShape, "" },
        { "too large", [.. "{\"initialize\":{}}"u8, .. Enumerable.Repeat((byte)' ', OneMebibyte)], ElicitStatus.TooLarge, "1048576" },
        { "too deep", [.. Enumerable.Repeat((byte)'[', 129), .. Enumerable.Repeat((byte)']', 129)], ElicitStatus.TooDeep, "128" },
    };

    [Theory]
    [MemberData(nameof(NoHandshakes))]
    public void What_is_no_handshake_is_refused_with_its_reason(string name, byte[] handshake, ElicitStatus status, string named)
    {
        var exception = Assert.Throws<ElicitDoctorException>(() => Doctor.Report(handshake));

        Assert.True(exception.Status == status, $"{name}: expected {status}, got {exception.Status}: {exception.Message}");
        Assert.Contains(named, exception.Message, StringComparison.Ordinal);
        Assert.NotEmpty(exception.Message);
    }

    [Theory]
    [InlineData("", ElicitStatus.InvalidJson)]
    [InlineData("{}", ElicitStatus.WrongShape)]
    [InlineData("[]", ElicitStatus.WrongShape)]
    public void What_is_no_report_is_refused_with_its_reason(string json, ElicitStatus status)
    {
        var fromString = Assert.Throws<ElicitDoctorException>(() => DoctorReport.Parse(json));
        var fromBytes = Assert.Throws<ElicitDoctorException>(() => DoctorReport.Parse(Encoding.UTF8.GetBytes(json)));

        Assert.Equal(status, fromString.Status);
        Assert.Equal(status, fromBytes.Status);
        Assert.NotEmpty(fromString.Message);
    }

    [Fact]
    public void A_lone_surrogate_is_refused_with_its_index()
    {
        var handshake = Assert.Throws<ElicitDoctorException>(() => Doctor.Report("{\"\ud800\":1}"));
        var report = Assert.Throws<ElicitDoctorException>(() => DoctorReport.Parse("\udc00"));

        Assert.Equal(ElicitStatus.InvalidUtf8, handshake.Status);
        Assert.Contains("index 2", handshake.Message, StringComparison.Ordinal);
        Assert.Equal(ElicitStatus.InvalidUtf8, report.Status);
    }

    [Fact]
    public void An_unknown_mode_is_refused()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);

        var exception = Assert.Throws<ElicitDoctorException>(() => report.WithSkippedProbe((ElicitationMode)9, "why"));

        Assert.Equal(ElicitStatus.InvalidArgument, exception.Status);
        Assert.Contains("9", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Null_is_refused_before_the_library_sees_it()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);

        Assert.Throws<ArgumentNullException>(() => Doctor.Report((string)null!));
        Assert.Throws<ArgumentNullException>(() => DoctorReport.Parse((string)null!));
        Assert.Throws<ArgumentNullException>(() => report.WithSkippedProbe(ElicitationMode.Form, null!));
        Assert.Throws<ArgumentNullException>(() => report.WriteTo((System.Buffers.IBufferWriter<byte>)null!));
        Assert.Throws<ArgumentNullException>(() => report.WriteTo((System.Text.Json.Utf8JsonWriter)null!));
    }

    [Fact]
    public void A_failed_call_harms_no_later_one()
    {
        Assert.Throws<ElicitDoctorException>(() => Doctor.Report("nope"));

        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        Assert.True(report.Support.ElicitationForm);
    }
}
