using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using Xunit;

namespace ElicitDoctor.Tests;

public class RoundTripTests
{
    private static readonly ProbeOptions Form = new();
    private static readonly ProbeOptions Visit = new() { Mode = ElicitationMode.Url, Url = new Uri("https://example.com/visit") };

    private static readonly StateBinding Binding = new()
    {
        Principal = "alice",
        Tool = "elicit_doctor",
        Arguments = Encoding.UTF8.GetBytes("""{"probeElicitation":true}"""),
    };

    private readonly DoctorReport _report = Handshakes.Report(Handshakes.PerRequest);
    private readonly byte[] _key = RandomNumberGenerator.GetBytes(StateSealer.KeyLength);
    private readonly SetTime _time = new();

    [Fact]
    public void What_one_instance_begins_another_one_resumes()
    {
        RoundTripStep step = RoundTrip.Begin(_report, Form, Sealer(), Binding);
        Assert.True(step.Asks);
        _time.Now += TimeSpan.FromSeconds(5);

        using DoctorReport elsewhere = Handshakes.Report(Handshakes.PerRequest);
        using DoctorReport probed = RoundTrip.Resume(elsewhere, Form, Sealer(), Binding, Repeated(step, Probes.Accept));

        JsonElement outcome = Probes.Outcome(probed);
        Assert.Equal(("accept", "working", "person"), (outcome.Text("action"), outcome.Text("verdict"), outcome.Text("answeredBy")));
        Assert.Equal(5000, outcome.GetProperty("latencyMs").GetInt32());
    }

    [Fact]
    public void The_first_pass_asks_with_the_probes_form()
    {
        JsonElement result = JsonElement.Parse(RoundTrip.Begin(_report, Form, Sealer(), Binding).InputRequired.Span);

        Assert.Equal("input_required", result.Text("resultType"));
        JsonElement request = result.GetProperty("inputRequests").GetProperty("elicit_doctor");
        Assert.Equal("elicitation/create", request.Text("method"));
        Assert.True(request.GetProperty("params").TryGetProperty("requestedSchema", out _), request.ToString());
        Assert.NotEmpty(result.Text("requestState")!);
    }

    [Theory]
    [InlineData(Probes.Accept, "accept", "working")]
    [InlineData("""{"action":"cancel"}""", "cancel", "advertised_but_autocanceled")]
    [InlineData("""{"action":"accept"}""", "accept", "unsupported")]
    [InlineData("[]", "error", "unsupported")]
    public void Every_answer_has_its_outcome(string answer, string action, string verdict)
    {
        RoundTripStep step = RoundTrip.Begin(_report, Form, Sealer(), Binding);

        using DoctorReport probed = RoundTrip.Resume(_report, Form, Sealer(), Binding, Repeated(step, answer));

        Assert.Equal((action, verdict), (Probes.Outcome(probed).Text("action"), Probes.Outcome(probed).Text("verdict")));
    }

    [Fact]
    public void A_visit_goes_the_same_way()
    {
        using DoctorReport report = Handshakes.Report(
            Handshakes.PerRequest.Replace("{\"form\":{}}", "{\"url\":{}}", StringComparison.Ordinal));
        RoundTripStep step = RoundTrip.Begin(report, Visit, Sealer(), Binding);
        JsonElement request = JsonElement.Parse(step.InputRequired.Span)
            .GetProperty("inputRequests").GetProperty("elicit_doctor").GetProperty("params");
        Assert.Equal(("url", "https://example.com/visit"), (request.Text("mode"), request.Text("url")));

        using DoctorReport probed = RoundTrip.Resume(
            report, Visit, Sealer(), Binding, Repeated(step, """{"action":"accept"}"""));
        using DoctorReport seen = probed.WithVisit(true);

        Assert.Equal("working", Probes.Outcome(seen, "elicitationUrl").Text("verdict"));
        Assert.True(Probes.Outcome(seen, "elicitationUrl").GetProperty("visited").GetBoolean());
    }

    [Fact]
    public void A_host_that_did_not_declare_the_mode_is_not_asked()
    {
        RoundTripStep step = RoundTrip.Begin(_report, Visit, Sealer(), Binding);

        Assert.False(step.Asks);
        Assert.True(step.InputRequired.IsEmpty);
        JsonElement outcome = Probes.Outcome(step.Report, "elicitationUrl");
        Assert.Equal("client did not advertise url mode", outcome.Text("reason"));
    }

    [Fact]
    public void A_state_that_is_changed_foreign_stale_or_of_another_call_is_refused()
    {
        RoundTripStep step = RoundTrip.Begin(_report, Form, Sealer(), Binding);
        byte[] repeated = Repeated(step, Probes.Accept);
        StateBinding otherPrincipal = new() { Principal = "mallory", Tool = Binding.Tool, Arguments = Binding.Arguments };
        StateBinding otherArguments = new() { Principal = Binding.Principal, Tool = Binding.Tool };
        var otherKey = new StateSealer(new StateSealerOptions { Keys = [RandomNumberGenerator.GetBytes(StateSealer.KeyLength)] });

        AssertRefused(ElicitStatus.StateForeign, Sealer(), otherPrincipal, repeated);
        AssertRefused(ElicitStatus.StateOtherArguments, Sealer(), otherArguments, repeated);
        AssertRefused(ElicitStatus.StateForged, otherKey, Binding, repeated);
        AssertRefused(ElicitStatus.StateMalformed, Sealer(), Binding, Repeated(step, Probes.Accept, state => state[..^1]));
        _time.Now += TimeSpan.FromMinutes(10);
        AssertRefused(ElicitStatus.StateExpired, Sealer(), Binding, repeated);
    }

    [Fact]
    public void The_state_of_a_form_does_not_do_for_a_visit()
    {
        using DoctorReport report = Handshakes.Report(
            Handshakes.PerRequest.Replace("{\"form\":{}}", "{\"form\":{},\"url\":{}}", StringComparison.Ordinal));
        RoundTripStep step = RoundTrip.Begin(report, Form, Sealer(), Binding);

        var exception = Assert.Throws<ElicitDoctorException>(
            () => RoundTrip.Resume(report, Visit, Sealer(), Binding, Repeated(step, """{"action":"accept"}""")));

        Assert.Equal(ElicitStatus.StateMalformed, exception.Status);
    }

    [Theory]
    [InlineData("{}", ElicitStatus.NotAnswered)]
    [InlineData("""{"requestState":42}""", ElicitStatus.WrongShape)]
    [InlineData("[]", ElicitStatus.NotAnswered)]
    [InlineData("nope", ElicitStatus.InvalidJson)]
    [InlineData("", ElicitStatus.InvalidJson)]
    public void What_is_no_repeated_request_is_refused(string repeated, ElicitStatus status)
    {
        AssertRefused(status, Sealer(), Binding, Encoding.UTF8.GetBytes(repeated));
    }

    [Fact]
    public void A_repeated_request_without_an_answer_is_refused()
    {
        RoundTripStep step = RoundTrip.Begin(_report, Form, Sealer(), Binding);

        AssertRefused(ElicitStatus.NotAnswered, Sealer(), Binding, Repeated(step, answer: null));
    }

    [Fact]
    public void Null_and_what_is_no_page_are_refused()
    {
        Assert.Throws<ArgumentNullException>(() => RoundTrip.Begin(null!, Form, Sealer(), Binding));
        Assert.Throws<ArgumentNullException>(() => RoundTrip.Begin(_report, null!, Sealer(), Binding));
        Assert.Throws<ArgumentNullException>(() => RoundTrip.Begin(_report, Form, null!, Binding));
        Assert.Throws<ArgumentNullException>(() => RoundTrip.Resume(_report, Form, Sealer(), null!, []));
        var page = Assert.Throws<ElicitDoctorException>(
            () => RoundTrip.Begin(_report, new ProbeOptions { Mode = ElicitationMode.Url }, Sealer(), Binding));
        Assert.Equal(ElicitStatus.InvalidArgument, page.Status);
    }

    /// <summary>The parameters with which a client repeats the call.</summary>
    private static byte[] Repeated(RoundTripStep step, string? answer, Func<string, string>? change = null)
    {
        string state = JsonElement.Parse(step.InputRequired.Span).Text("requestState")!;
        var parameters = new JsonObject
        {
            ["name"] = Binding.Tool,
            ["arguments"] = JsonNode.Parse(Binding.Arguments.Span),
            ["requestState"] = change is null ? state : change(state),
        };
        if (answer is not null)
        {
            parameters["inputResponses"] = new JsonObject { ["elicit_doctor"] = JsonNode.Parse(answer) };
        }

        return JsonSerializer.SerializeToUtf8Bytes(parameters);
    }

    private void AssertRefused(ElicitStatus status, StateSealer sealer, StateBinding binding, byte[] repeated)
    {
        var exception = Assert.Throws<ElicitDoctorException>(() => RoundTrip.Resume(_report, Form, sealer, binding, repeated));

        Assert.True(exception.Status == status, $"expected {status}, got {exception.Status}: {exception.Message}");
        Assert.NotEmpty(exception.Message);
    }

    private StateSealer Sealer() => new(new StateSealerOptions { Keys = [_key], TimeProvider = _time });
}
