using System.Text;
using System.Text.Json;
using ElicitDoctor.TestSupport;
using Xunit;

namespace ElicitDoctor.Tests;

public class RealHandshakeTests
{
    public static TheoryData<string> Clients =>
        new(Directory.EnumerateFiles(Path.Combine(AppContext.BaseDirectory, "handshakes")).Select(path => Path.GetFileName(path)));

    [Theory]
    [MemberData(nameof(Clients))]
    public void What_a_real_client_sent_gives_a_report_that_can_be_read_again(string client)
    {
        byte[] file = File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, "handshakes", client));
        using JsonDocument captured = JsonDocument.Parse(file);
        string[] lines = [.. captured.RootElement.GetProperty("captures").EnumerateArray()
            .SelectMany(capture => capture.GetProperty("rawLines").EnumerateArray())
            .Select(line => line.GetString()!)
            .Where(line => line.Contains("\"initialize\"", StringComparison.Ordinal) || line.Contains("/clientCapabilities\"", StringComparison.Ordinal))
            .Distinct()];
        Assert.NotEmpty(lines);

        foreach (string line in lines)
        {
            using DoctorReport report = Doctor.Report(Encoding.UTF8.GetBytes(line));
            ReportSchema.AssertValid(report.ToJson());
            using DoctorReport again = DoctorReport.Parse(report.ToJson());
            Assert.Equal(report.ToJson(), again.ToJson());
            Assert.Equal(report.Support, again.Support);
            Assert.NotNull(report.Revision);
        }
    }
}
