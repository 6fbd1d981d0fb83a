using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Time.Testing;
using ModelContextProtocol.Protocol;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>What operators see of the probes. Its listeners hear the whole process, so each test looks for a latency of its own.</summary>
public sealed class TelemetryTests
{
    [Fact]
    public async Task A_probe_is_counted_and_timed_by_its_verdict()
    {
        var measured = new ConcurrentQueue<(string Instrument, double Value, string Tags)>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, listener) =>
            {
                if (instrument.Meter.Name == ElicitDoctorTelemetry.Name)
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => measured.Enqueue((instrument.Name, value, Text(tags))));
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => measured.Enqueue((instrument.Name, value, Text(tags))));
        listener.Start();

        await ProbeAsync(TimeSpan.FromMilliseconds(4321));

        Assert.Contains(("elicit_doctor.probe.duration", 4.321, "elicit_doctor.mode=form elicit_doctor.verdict=user_declined"), measured);
        Assert.Contains(("elicit_doctor.probes", 1, "elicit_doctor.mode=form elicit_doctor.verdict=user_declined elicit_doctor.answered_by=person"), measured);

        static string Text(ReadOnlySpan<KeyValuePair<string, object?>> tags) => string.Join(' ', tags.ToArray().Select(tag => $"{tag.Key}={tag.Value}"));
    }

    [Fact]
    public async Task A_probe_over_two_calls_is_one_activity_from_the_question_to_the_answer()
    {
        var activities = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == ElicitDoctorTelemetry.Name || source.Name.EndsWith("ModelContextProtocol", StringComparison.Ordinal),
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = activities.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);

        var asked = await ProbeAsync(TimeSpan.FromMilliseconds(5432));

        var activity = Assert.Single(activities, activity => activity.Source.Name == ElicitDoctorTelemetry.Name && activity.Duration == TimeSpan.FromMilliseconds(5432));
        Assert.Equal("tools/call elicit_doctor", activity.Parent?.DisplayName);
        Assert.Equal(("elicit_doctor.probe", asked.UtcDateTime), (activity.OperationName, activity.StartTimeUtc));
        Assert.Equal(("form", "user_declined", "person"), (
            activity.GetTagItem("elicit_doctor.mode"), activity.GetTagItem("elicit_doctor.verdict"), activity.GetTagItem("elicit_doctor.answered_by")));
    }

    [Fact]
    public async Task Probes_and_refusals_are_logged()
    {
        var log = new RecordingLoggerProvider();
        await using var server = PipeServer.Start(builder => builder.Services.AddLogging(logging => logging.AddProvider(log).SetMinimumLevel(LogLevel.Debug)));
        var client = server.ConnectWire();
        var call = new RepeatedCall();
        var asked = WireClient.Result(await client.RequestAsync("tools/call", call.First));
        await client.RequestAsync("tools/call", call.Repeat(asked, """{"action":"cancel"}"""));
        await client.RequestAsync("tools/call", call.Repeat("x", """{"action":"cancel"}"""));
        await client.RequestAsync("tools/call", (call with { Capabilities = "{}" }).First);

        Assert.Contains((LogLevel.Debug, "Asking the host, by InputRequired."), log.Entries);
        Assert.Contains(log.Entries, entry => entry.Level == LogLevel.Information
            && entry.Message.StartsWith("The probe of form mode ended: advertised_but_autocanceled, answered by machine after ", StringComparison.Ordinal));
        Assert.Contains(log.Entries, entry => entry.Level == LogLevel.Warning
            && entry.Message.StartsWith("The state of a repeated call is refused (StateMalformed): ", StringComparison.Ordinal));
        Assert.Contains((LogLevel.Information, "No probe of form mode: client did not advertise elicitation."), log.Entries);
    }

    private static async Task<DateTimeOffset> ProbeAsync(TimeSpan latency)
    {
        var time = new FakeTimeProvider();
        await using var server = PipeServer.Start(builder => builder.Services.AddSingleton<TimeProvider>(time));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.PerRequestEra, (_, _) =>
        {
            time.Advance(latency);
            return Task.FromResult(new ElicitResult { Action = "decline" });
        }));
        var asked = time.GetUtcNow();
        await client.CallDoctorAsync(probeElicitation: true);
        return asked;
    }
}
