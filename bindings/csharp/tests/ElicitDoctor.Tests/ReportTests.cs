using System.Buffers;
using System.Text;
using System.Text.Json;
using ElicitDoctor.TestSupport;
using Xunit;

namespace ElicitDoctor.Tests;

public class ReportTests
{
    [Fact]
    public void A_report_says_what_the_host_declared()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);

        Assert.Equal(new Support(Elicitation: true, ElicitationForm: true, ElicitationUrl: true, Sampling: false, Roots: true), report.Support);
        Assert.Equal("2025-11-25", report.Revision);
        Assert.Equal(Delivery.Request, report.Delivery);
        Assert.Empty(report.Findings);
    }

    [Fact]
    public void A_host_of_the_per_request_era_is_asked_over_two_requests()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.PerRequest);

        Assert.Equal(new Support(Elicitation: true, ElicitationForm: true, ElicitationUrl: false, Sampling: false, Roots: false), report.Support);
        Assert.Equal("2026-07-28", report.Revision);
        Assert.Equal(Delivery.InputRequired, report.Delivery);
    }

    [Fact]
    public void A_handshake_that_was_not_seen_supports_nothing_and_says_so()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.Nothing);

        Assert.Equal(default, report.Support);
        Assert.Null(report.Revision);
        Assert.Equal(Delivery.None, report.Delivery);
        Assert.Contains(report.Findings, finding => finding.Code == "handshake_not_seen");
    }

    [Fact]
    public void A_malformed_capability_is_a_finding_with_its_place()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.ElicitationIsTrue);

        Finding finding = Assert.Single(report.Findings, finding => finding.Code == "elicitation_not_an_object");
        Assert.Equal(FindingSeverity.Error, finding.Severity);
        Assert.Equal("/initialize/request/capabilities/elicitation", finding.Path);
        Assert.NotEmpty(finding.Message);
        Assert.False(report.Support.Elicitation);
    }

    [Fact]
    public void Findings_are_those_of_the_json()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.ElicitationIsTrue);

        using JsonDocument json = JsonDocument.Parse(report.ToJson());
        IEnumerable<string> written = json.RootElement.GetProperty("findings").EnumerateArray().Select(finding => string.Join(
            '|',
            finding.GetProperty("code").GetString(),
            finding.GetProperty("severity").GetString(),
            finding.GetProperty("path").GetString(),
            finding.GetProperty("message").GetString()));
        Assert.Equal(
            written,
            report.Findings.Select(finding => string.Join('|', finding.Code, finding.Severity.ToString().ToLowerInvariant(), finding.Path, finding.Message)));
    }

    [Fact]
    public void The_echo_keeps_every_byte_of_the_handshake()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);

        using JsonDocument handshake = JsonDocument.Parse(Handshakes.FormAndUrl);
        using JsonDocument json = JsonDocument.Parse(report.ToJson());
        foreach (string side in new[] { "request", "response" })
        {
            foreach (JsonProperty sent in handshake.RootElement.GetProperty("initialize").GetProperty(side).EnumerateObject())
            {
                JsonElement echoed = json.RootElement.GetProperty("initialize").GetProperty(side).GetProperty(sent.Name);
                Assert.Equal(sent.Value.GetRawText(), echoed.GetRawText());
            }
        }
    }

    [Fact]
    public void Bytes_and_strings_give_the_same_report()
    {
        using DoctorReport fromBytes = Doctor.Report(Encoding.UTF8.GetBytes(Handshakes.FormAndUrl));
        using DoctorReport fromString = Handshakes.Report(Handshakes.FormAndUrl);

        Assert.Equal(fromBytes.ToJson(), fromString.ToJson());
    }

    [Fact]
    public void Text_beyond_ascii_passes_both_ways()
    {
        using DoctorReport report = Handshakes.Report(
            """{"initialize":{"request":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"クライアント 🦀","version":"1"}}}}""");

        Assert.Contains("クライアント 🦀", report.ToJson(), StringComparison.Ordinal);
    }

    [Fact]
    public void Every_way_to_write_a_report_writes_the_same_bytes()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        byte[] expected = Encoding.UTF8.GetBytes(report.ToJson());

        Assert.Equal(expected.Length, report.Utf8Length);

        var exact = new byte[expected.Length];
        Assert.True(report.TryWriteTo(exact, out int bytesWritten));
        Assert.Equal(expected.Length, bytesWritten);
        Assert.Equal(expected, exact);

        var buffer = new ArrayBufferWriter<byte>();
        report.WriteTo(buffer);
        Assert.Equal(expected, buffer.WrittenSpan);

        buffer.Clear();
        using (var writer = new Utf8JsonWriter(buffer))
        {
            writer.WriteStartArray();
            report.WriteTo(writer);
            report.WriteTo(writer);
            writer.WriteEndArray();
        }

        Assert.Equal($"[{report.ToJson()},{report.ToJson()}]", Encoding.UTF8.GetString(buffer.WrittenSpan));
    }

    [Fact]
    public void A_buffer_that_is_one_byte_too_short_is_left_alone()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        var tooShort = new byte[report.Utf8Length - 1];

        Assert.False(report.TryWriteTo(tooShort, out int bytesWritten));

        Assert.Equal(0, bytesWritten);
        Assert.All(tooShort, value => Assert.Equal(0, value));
    }

    [Theory]
    [InlineData(Handshakes.FormAndUrl)]
    [InlineData(Handshakes.ElicitationIsTrue)]
    [InlineData(Handshakes.PerRequest)]
    [InlineData(Handshakes.Nothing)]
    public void A_report_read_from_its_own_json_is_the_same_report(string handshake)
    {
        using DoctorReport written = Handshakes.Report(handshake);

        using DoctorReport fromString = DoctorReport.Parse(written.ToJson());
        using DoctorReport fromBytes = DoctorReport.Parse(Encoding.UTF8.GetBytes(written.ToJson()));

        foreach (DoctorReport read in new[] { fromString, fromBytes })
        {
            Assert.Equal(written.ToJson(), read.ToJson());
            Assert.Equal(written.Support, read.Support);
            Assert.Equal(written.Revision, read.Revision);
            Assert.Equal(written.Delivery, read.Delivery);
            Assert.Equal(written.Findings, read.Findings);
        }
    }

    [Theory]
    [InlineData(ElicitationMode.Form, "elicitationForm")]
    [InlineData(ElicitationMode.Url, "elicitationUrl")]
    public void A_skipped_probe_stands_in_a_copy_with_its_reason(ElicitationMode mode, string key)
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        string before = report.ToJson();

        using DoctorReport probed = report.WithSkippedProbe(mode, "the user said \"no\"");

        ReportSchema.AssertValid(probed.ToJson());
        using JsonDocument json = JsonDocument.Parse(probed.ToJson());
        JsonElement probe = json.RootElement.GetProperty("probes").GetProperty(key);
        Assert.False(probe.GetProperty("attempted").GetBoolean());
        Assert.Equal("the user said \"no\"", probe.GetProperty("reason").GetString());
        Assert.Equal(report.Support, probed.Support);
        Assert.Equal(before, report.ToJson());
    }

    [Fact]
    public void Support_answers_for_each_mode()
    {
        var formOnly = new Support(Elicitation: true, ElicitationForm: true, ElicitationUrl: false, Sampling: false, Roots: false);

        Assert.True(formOnly.Supports(ElicitationMode.Form));
        Assert.False(formOnly.Supports(ElicitationMode.Url));
        Assert.Throws<ArgumentOutOfRangeException>(() => formOnly.Supports((ElicitationMode)3));
    }

    [Fact]
    public void The_library_tells_its_version()
    {
        Assert.Matches(@"^\d+\.\d+\.\d+", Doctor.Version);
    }
}
