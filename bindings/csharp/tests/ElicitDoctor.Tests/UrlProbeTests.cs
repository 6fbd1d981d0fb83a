using System.Text.Json;
using Xunit;

namespace ElicitDoctor.Tests;

[Collection(nameof(Probes))]
public class UrlProbeTests
{
    private static readonly Uri Page = new("http://localhost:8080/visit?a=1&b=ü");

    [Fact]
    public async Task The_request_names_the_page_and_a_new_identifier()
    {
        JsonElement first = await RequestOfAsync(new ProbeOptions { Mode = ElicitationMode.Url, Url = Page });
        JsonElement second = await RequestOfAsync(new ProbeOptions { Mode = ElicitationMode.Url, Url = Page });

        Assert.Equal(("url", Page.AbsoluteUri), (first.Text("mode"), first.Text("url")));
        Assert.True(Guid.TryParse(first.Text("elicitationId"), out _), first.ToString());
        Assert.NotEqual(first.Text("elicitationId"), second.Text("elicitationId"));
    }

    [Fact]
    public async Task An_identifier_of_the_caller_is_used()
    {
        JsonElement request = await RequestOfAsync(
            new ProbeOptions { Mode = ElicitationMode.Url, Url = Page, ElicitationId = "visit-\"7\"" });

        Assert.Equal("visit-\"7\"", request.Text("elicitationId"));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [InlineData(null)]
    public async Task The_visit_stands_in_the_report(bool? visited)
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        using DoctorReport probed = await ProbeEngine.Shared.ProbeAsync(
            report,
            Probes.Answers("""{"action":"accept"}"""),
            new ProbeOptions { Mode = ElicitationMode.Url, Url = Page },
            TestContext.Current.CancellationToken);

        using DoctorReport seen = probed.WithVisit(visited);

        JsonElement outcome = Probes.Outcome(seen, "elicitationUrl");
        Assert.Equal(("accept", "working"), (outcome.Text("action"), outcome.Text("verdict")));
        Assert.Equal(visited, outcome.GetProperty("visited").Deserialize<bool?>());
        Assert.False(Probes.Outcome(probed, "elicitationUrl").TryGetProperty("visited", out _));
    }

    [Fact]
    public void Without_a_probe_of_a_page_there_is_no_visit()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);

        using DoctorReport seen = report.WithVisit(true);

        Assert.Equal(report.ToJson(), seen.ToJson());
    }

    [Theory]
    [InlineData(null, "not absolute")]
    [InlineData("visit", "not absolute")]
    [InlineData("http://example.com/", "neither https nor")]
    [InlineData("ftp://example.com/", "neither https nor")]
    [InlineData("https://user@example.com/", "user info")]
    public async Task What_is_no_page_for_a_probe_is_refused(string? url, string why)
    {
        var options = new ProbeOptions
        {
            Mode = ElicitationMode.Url,
            Url = url is null ? null : new Uri(url, UriKind.RelativeOrAbsolute),
        };

        var exception = await Assert.ThrowsAsync<ElicitDoctorException>(() => RequestOfAsync(options));

        Assert.Equal(ElicitStatus.InvalidArgument, exception.Status);
        Assert.Contains(why, exception.Message, StringComparison.Ordinal);
    }

    private static async Task<JsonElement> RequestOfAsync(ProbeOptions options)
    {
        JsonElement request = default;
        await Probes.OutcomeOfAsync(
            (sent, _) =>
            {
                request = JsonElement.Parse(sent.Span);
                return new ValueTask<ReadOnlyMemory<byte>>(Probes.Utf8("""{"action":"accept"}"""));
            },
            options);
        return request;
    }
}
