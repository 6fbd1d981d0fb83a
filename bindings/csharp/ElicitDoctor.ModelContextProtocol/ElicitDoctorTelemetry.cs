using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Names of what the doctor tells OpenTelemetry, or another listener, about its probes.</summary>
/// <remarks>
/// <para>
/// The activity source has the activity <c>elicit_doctor.probe</c>, from the question to the answer; the meter has the histogram
/// <c>elicit_doctor.probe.duration</c> (seconds) and the counter <c>elicit_doctor.probes</c>. A probe that was not attempted is in none of them.
/// </para>
/// <para>
/// All have the tags <c>elicit_doctor.mode</c> (<c>form</c>, <c>url</c>) and <c>elicit_doctor.verdict</c>; activity and counter also
/// <c>elicit_doctor.answered_by</c>, and the activity <c>elicit_doctor.diagnosis</c> where there is one. The values are those of the report.
/// </para>
/// </remarks>
public static class ElicitDoctorTelemetry
{
    /// <summary>The name of both the <see cref="ActivitySource"/> and the <see cref="Meter"/>.</summary>
    public const string Name = "ElicitDoctor";

    private const string Mode = "elicit_doctor.mode";
    private const string Verdict = "elicit_doctor.verdict";
    private const string AnsweredBy = "elicit_doctor.answered_by";

    private static readonly ActivitySource Source = new(Name);
    private static readonly Meter Meter = new(Name);

    private static readonly Histogram<double> Duration = Meter.CreateHistogram<double>(
        "elicit_doctor.probe.duration", "s", "The time from a probe's question to its answer.");

    private static readonly Counter<long> Probes = Meter.CreateCounter<long>(
        "elicit_doctor.probes", "{probe}", "The probes that hosts were asked.");

    /// <summary>Records a probe that was attempted.</summary>
    internal static void Record(ProbeResult probe, DateTimeOffset ended)
    {
        KeyValuePair<string, object?> mode = new(Mode, probe.Mode), verdict = new(Verdict, probe.Verdict), answeredBy = new(AnsweredBy, probe.AnsweredBy);
        Duration.Record(probe.Latency.TotalSeconds, mode, verdict);
        Probes.Add(1, mode, verdict, answeredBy);

        // Made afterwards, because a probe over two calls has no code running in between.
        using var activity = Source.StartActivity(
            "elicit_doctor.probe", ActivityKind.Internal, parentContext: default, [mode, verdict, answeredBy], startTime: ended - probe.Latency);
        activity?.SetTag("elicit_doctor.diagnosis", probe.Diagnosis).SetEndTime(ended.UtcDateTime);
    }
}
