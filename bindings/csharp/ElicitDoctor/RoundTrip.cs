using ElicitDoctor.Interop;

namespace ElicitDoctor;

/// <summary>
/// The probe over two requests (revision 2026-07-28, <see cref="Delivery.InputRequired"/>): the server answers the call
/// with a question, and the client repeats the call with the answer.
/// </summary>
/// <remarks>
/// Nothing is kept between the two but the state that travels through the client, so that any instance of the server with
/// the same keys may resume what another one began. All members may be called from any thread at any time.
/// </remarks>
public static class RoundTrip
{
    /// <summary>The first pass over a call: asks the host, or says why it must not be asked.</summary>
    /// <param name="report">The report on the host. What earlier probes of it found travels in the state.</param>
    /// <param name="question">What to ask: mode and page. How long the person may think is the lifetime of the state.</param>
    /// <param name="sealer">Seals the state.</param>
    /// <param name="binding">What the state belongs to.</param>
    /// <returns>With what to answer the call.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ElicitDoctorException">
    /// The question names no page for a URL probe or no mode, the arguments are no JSON, or a text has no UTF-8 form.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public static RoundTripStep Begin(DoctorReport report, ProbeOptions question, StateSealer sealer, StateBinding binding)
    {
        ThrowIfNull(report, question, sealer, binding);
        using var principal = new Utf8Text(binding.Principal);
        using var tool = new Utf8Text(binding.Tool);
        using var url = new Utf8Text(question.UrlText);
        using Lease lease = report.Borrow();
        (byte[]? inputRequired, nint skipped) =
            NativeState.Begin(lease.Address, (int)question.Mode, url.Bytes, sealer.Terms(binding, principal, tool));
        return inputRequired is null ? new RoundTripStep(DoctorReport.FromNative(skipped)) : new RoundTripStep(inputRequired);
    }

    /// <summary>The second pass: takes the answer out of the repeated request.</summary>
    /// <remarks>What the host answered is an outcome and no exception, whatever it is.</remarks>
    /// <param name="report">The report on the host, from the repeated request.</param>
    /// <param name="question">As in the first pass.</param>
    /// <param name="sealer">One with the key that sealed the state.</param>
    /// <param name="binding">As in the first pass, from the repeated request.</param>
    /// <param name="paramsUtf8">The parameters of the repeated request as UTF-8 JSON, with <c>inputResponses</c> and
    /// <c>requestState</c>; at most 64 MiB, read during the call only.</param>
    /// <returns>A new report with the outcome; the given one stays as it is.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ElicitDoctorException">
    /// The state is refused, with one of the statuses of <see cref="StateSealer.Open"/>; there is no answer or no state
    /// (<see cref="ElicitStatus.NotAnswered"/>); or the parameters are no JSON or of another shape. Begin again.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public static DoctorReport Resume(
        DoctorReport report,
        ProbeOptions question,
        StateSealer sealer,
        StateBinding binding,
        ReadOnlySpan<byte> paramsUtf8)
    {
        ThrowIfNull(report, question, sealer, binding);
        using var principal = new Utf8Text(binding.Principal);
        using var tool = new Utf8Text(binding.Tool);
        using var url = new Utf8Text(question.UrlText);
        using Lease lease = report.Borrow();
        return DoctorReport.FromNative(NativeState.Resume(
            lease.Address, (int)question.Mode, url.Bytes, sealer.Terms(binding, principal, tool), paramsUtf8));
    }

    private static void ThrowIfNull(DoctorReport report, ProbeOptions question, StateSealer sealer, StateBinding binding)
    {
        ArgumentNullException.ThrowIfNull(report);
        ArgumentNullException.ThrowIfNull(question);
        ArgumentNullException.ThrowIfNull(sealer);
        ArgumentNullException.ThrowIfNull(binding);
    }
}
