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

    /// <summary>Checks a request for elicitation before it is sent to the host of a report.</summary>
    /// <remarks>
    /// By the rules of the specification for a server about to ask, in the revision, with the capabilities and by the
    /// delivery that the report tells: what the host can be asked, what a form may ask for, the kinds of fields, and
    /// what hosts are known to refuse. The check of a request without findings allocates nothing.
    /// </remarks>
    /// <param name="report">The report on the host that will be asked.</param>
    /// <param name="paramsUtf8">
    /// The parameters of <c>elicitation/create</c>, the JSON-RPC request with them, or the input request
    /// <c>{"method":"elicitation/create","params":…}</c>: UTF-8 JSON of at most 1 MiB, nested at most 128 levels; read
    /// during the call only.
    /// </param>
    /// <returns>
    /// What is wrong. Empty says: send it. One of <see cref="FindingSeverity.Error"/> says: do not. The
    /// <see cref="Finding.Path"/> is a JSON Pointer into the parameters; the empty one also stands for what is missing in
    /// them.
    /// </returns>
    /// <exception cref="ArgumentNullException"><paramref name="report"/> is null.</exception>
    /// <exception cref="ElicitDoctorException">
    /// There is nothing to check; <see cref="ElicitDoctorException.Status"/> says why, the message names the byte or the
    /// JSON Pointer.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    /// <example>
    /// <code>
    /// foreach (Finding finding in Doctor.CheckRequest(report, """{"message":"Your name?"}"""u8))
    /// {
    ///     Console.Error.WriteLine($"{finding.Severity} at {finding.Path}: {finding.Message}");
    /// }
    /// </code>
    /// </example>
    public static IReadOnlyList<Finding> CheckRequest(DoctorReport report, ReadOnlySpan<byte> paramsUtf8)
    {
        ArgumentNullException.ThrowIfNull(report);
        using Lease lease = report.Borrow();
        return NativeFindings.CheckRequest(lease.Address, paramsUtf8);
    }

    /// <inheritdoc cref="CheckRequest(DoctorReport, ReadOnlySpan{byte})"/>
    /// <param name="report">The report on the host that will be asked.</param>
    /// <param name="paramsJson">The same as a string: at most 1 MiB when written as UTF-8.</param>
    /// <exception cref="ArgumentNullException"><paramref name="report"/> or <paramref name="paramsJson"/> is null.</exception>
    public static IReadOnlyList<Finding> CheckRequest(DoctorReport report, string paramsJson)
    {
        ArgumentNullException.ThrowIfNull(paramsJson);
        using var utf8 = new Utf8Text(paramsJson);
        return CheckRequest(report, utf8.Bytes);
    }

    /// <summary>Checks what a host answered against the parameters that were sent.</summary>
    /// <remarks>
    /// By the rules of the specification for the client's side: the action, whether there is content where there must be,
    /// and the content against the requested schema, with formats, and with lengths in code points. The check of an
    /// answer without findings allocates nothing.
    /// </remarks>
    /// <param name="report">The report on the host that was asked.</param>
    /// <param name="paramsUtf8">
    /// The parameters of <c>elicitation/create</c>, or the whole message with them: UTF-8 JSON of at most 1 MiB, nested at
    /// most 128 levels; read during the call only.
    /// </param>
    /// <param name="resultUtf8">
    /// The result of <c>elicitation/create</c>, the whole JSON-RPC response, or the answer under a key of
    /// <c>inputResponses</c>; the same limits.
    /// </param>
    /// <returns>
    /// What is wrong. Empty says that the answer is what was asked for. After one of <see cref="FindingSeverity.Error"/>,
    /// do not use the content. The <see cref="Finding.Path"/> is a JSON Pointer into the result.
    /// </returns>
    /// <exception cref="ArgumentNullException"><paramref name="report"/> is null.</exception>
    /// <exception cref="ElicitDoctorException">
    /// There is nothing to check; <see cref="ElicitDoctorException.Status"/> says why, the message names the byte or the
    /// JSON Pointer.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public static IReadOnlyList<Finding> CheckAnswer(
        DoctorReport report,
        ReadOnlySpan<byte> paramsUtf8,
        ReadOnlySpan<byte> resultUtf8)
    {
        ArgumentNullException.ThrowIfNull(report);
        using Lease lease = report.Borrow();
        return NativeFindings.CheckAnswer(lease.Address, paramsUtf8, resultUtf8);
    }

    /// <inheritdoc cref="CheckAnswer(DoctorReport, ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>
    /// <param name="report">The report on the host that was asked.</param>
    /// <param name="paramsJson">The parameters as a string: at most 1 MiB when written as UTF-8.</param>
    /// <param name="resultJson">The result as a string; the same limit.</param>
    /// <exception cref="ArgumentNullException">
    /// <paramref name="report"/>, <paramref name="paramsJson"/> or <paramref name="resultJson"/> is null.
    /// </exception>
    public static IReadOnlyList<Finding> CheckAnswer(DoctorReport report, string paramsJson, string resultJson)
    {
        ArgumentNullException.ThrowIfNull(paramsJson);
        ArgumentNullException.ThrowIfNull(resultJson);
        using var paramsUtf8 = new Utf8Text(paramsJson);
        using var resultUtf8 = new Utf8Text(resultJson);
        return CheckAnswer(report, paramsUtf8.Bytes, resultUtf8.Bytes);
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
