using ElicitDoctor.Interop;

namespace ElicitDoctor;

/// <summary>Says what an MCP host can do with elicitation, from what the host itself put on the wire.</summary>
/// <remarks>All members may be called from any thread at any time; they share no state and do no I/O.</remarks>
/// <example>
/// <code>
/// DoctorReport report = Doctor.Report("""{"initialize":{"request":{"capabilities":{"elicitation":{}}}}}""");
/// bool form = report.Support.ElicitationForm;
/// </code>
/// </example>
public static class Doctor
{
    /// <summary>The version of the native library, such as <c>0.1.0</c>.</summary>
    /// <exception cref="NativeLibraryException">The native library is missing or does not fit.</exception>
    public static string Version => NativeDoctor.Version();

    /// <summary>Makes the report on a host from its handshake.</summary>
    /// <remarks>
    /// The handshake is one of:
    /// <list type="bullet">
    /// <item><c>{"initialize":{"request":R,"response":S}}</c>, where R and S are the params and the result of
    /// <c>initialize</c> or the whole JSON-RPC messages; either may be absent.</item>
    /// <item><c>{"perRequest":{"request":{"_meta":{…}},"response":S}}</c>, where S is the result of
    /// <c>server/discover</c> or the whole message, and may be absent.</item>
    /// <item>The JSON-RPC messages as they went over the wire: one, an array, or several one after another.</item>
    /// </list>
    /// Beside <c>initialize</c> or <c>perRequest</c> may stand <c>"transport":{"stateless":true}</c>, for a server that
    /// keeps no session, and <c>"verbatim":false</c>, for a handshake that was rebuilt rather than captured.
    /// A wrong shape inside the handshake is a finding of the report as long as a report can be made at all.
    /// </remarks>
    /// <param name="handshakeUtf8">UTF-8 JSON of at most 1 MiB, nested at most 128 levels; read during the call only.</param>
    /// <returns>The report. Disposing it frees its native memory at once; forgetting to leaves that to the collector.</returns>
    /// <exception cref="ElicitDoctorException">
    /// The text is no handshake; <see cref="ElicitDoctorException.Status"/> says why, the message names the byte or the
    /// JSON Pointer.
    /// </exception>
    /// <exception cref="NativeLibraryException">The native library is missing or does not fit.</exception>
    public static DoctorReport Report(ReadOnlySpan<byte> handshakeUtf8) => DoctorReport.FromHandshake(handshakeUtf8);

    /// <inheritdoc cref="Report(ReadOnlySpan{byte})"/>
    /// <param name="handshakeJson">JSON of at most 1 MiB when written as UTF-8, nested at most 128 levels.</param>
    /// <exception cref="ArgumentNullException"><paramref name="handshakeJson"/> is null.</exception>
    public static DoctorReport Report(string handshakeJson)
    {
        ArgumentNullException.ThrowIfNull(handshakeJson);
        using var utf8 = new Utf8Text(handshakeJson);
        return Report(utf8.Bytes);
    }

    /// <summary>Says what the outcome of one elicitation means.</summary>
    /// <remarks>
    /// Total: every combination has a verdict. The rules, of which the first that fits decides: timed out is
    /// <see cref="Verdict.AdvertisedButUnanswered"/>; errored or no known action is <see cref="Verdict.Unsupported"/>;
    /// accept is <see cref="Verdict.Working"/>; decline or cancel is
    /// <see cref="Verdict.AdvertisedButAutocanceled"/> below 2000 ms and <see cref="Verdict.UserDeclined"/> from there
    /// on. A time-out goes first because many SDKs report it as an error. Allocates nothing.
    /// </remarks>
    /// <param name="action">What the host answered; <see cref="ElicitationAction.None"/> if it did not.</param>
    /// <param name="latency">From the question to the answer, in whole milliseconds, rounded down; negative counts as 0.</param>
    /// <param name="timedOut">No answer came in time.</param>
    /// <param name="errored">An error came back instead of an answer.</param>
    /// <returns>The verdict.</returns>
    /// <exception cref="NativeLibraryException">The native library is missing or does not fit.</exception>
    public static Verdict Classify(
        ElicitationAction action,
        TimeSpan latency,
        bool timedOut = false,
        bool errored = false)
    {
        ulong latencyMs = latency.Ticks > 0 ? (ulong)latency.Ticks / (ulong)TimeSpan.TicksPerMillisecond : 0;
        return NativeDoctor.Classify((int)action, latencyMs, timedOut, errored);
    }
}
