namespace ElicitDoctor.Interop;

/// <summary>
/// The native functions of a report. A report is a number here, so that no pointer leaves this folder; callers pass only
/// numbers that these functions returned and that are not freed.
/// </summary>
internal static unsafe class NativeReport
{
    internal static nint FromHandshake(ReadOnlySpan<byte> handshakeUtf8)
    {
        NativeLibraryLoader.ThrowIfUnusable();
        ElicitReport* report = null;
        ElicitError* error = null;
        // SAFETY: the pinned text is read during the call only; both results are locals of this frame.
        fixed (byte* text = handshakeUtf8)
        {
            NativeError.ThrowIfFailed(
                NativeMethods.elicit_report_from_handshake(NativeText.Lend(text, handshakeUtf8.Length), &report, &error), error);
        }

        return (nint)report;
    }

    internal static nint Parse(ReadOnlySpan<byte> reportUtf8)
    {
        NativeLibraryLoader.ThrowIfUnusable();
        ElicitReport* report = null;
        ElicitError* error = null;
        // SAFETY: as in FromHandshake.
        fixed (byte* text = reportUtf8)
        {
            NativeError.ThrowIfFailed(NativeMethods.elicit_report_parse(NativeText.Lend(text, reportUtf8.Length), &report, &error), error);
        }

        return (nint)report;
    }

    internal static nint SkipProbe(nint report, int mode, ReadOnlySpan<byte> reasonUtf8)
    {
        ElicitReport* probed = null;
        ElicitError* error = null;
        // SAFETY: as in FromHandshake; the caller keeps `report` alive.
        fixed (byte* text = reasonUtf8)
        {
            NativeError.ThrowIfFailed(
                NativeMethods.elicit_report_skip_probe((ElicitReport*)report, mode, NativeText.Lend(text, reasonUtf8.Length), &probed, &error),
                error);
        }

        return (nint)probed;
    }

    internal static nint WithVisit(nint report, bool? visited)
    {
        ElicitReport* copy = null;
        ElicitError* error = null;
        int visit = visited switch { true => 1, false => 0, null => -1 };
        // SAFETY: the caller keeps `report` alive; both results are locals of this frame.
        NativeError.ThrowIfFailed(
            NativeMethods.elicit_report_with_visit((ElicitReport*)report, visit, &copy, &error), error);
        return (nint)copy;
    }

    internal static Support Support(nint report)
    {
        // SAFETY: the caller keeps `report` alive.
        ElicitSupport support = NativeMethods.elicit_report_support((ElicitReport*)report);
        return new Support(
            support.elicitation != 0,
            support.elicitation_form != 0,
            support.elicitation_url != 0,
            support.sampling != 0,
            support.roots != 0);
    }

    // SAFETY of the four below: the caller keeps `report` alive, and with it what it lends.
    internal static ReadOnlySpan<byte> Revision(nint report) =>
        NativeText.Borrow(NativeMethods.elicit_report_revision((ElicitReport*)report));

    internal static ReadOnlySpan<byte> Json(nint report) =>
        NativeText.Borrow(NativeMethods.elicit_report_json((ElicitReport*)report));

    internal static Delivery Delivery(nint report) => (Delivery)NativeMethods.elicit_report_delivery((ElicitReport*)report);

    // SAFETY: as above; the list is the report's.
    internal static IReadOnlyList<Finding> Findings(nint report) =>
        NativeFindings.Read(NativeMethods.elicit_report_findings((ElicitReport*)report));

    internal static void Free(nint report)
    {
        // SAFETY: the handle calls this once, when nothing uses the report any more.
        NativeMethods.elicit_report_free((ElicitReport*)report);
    }
}
