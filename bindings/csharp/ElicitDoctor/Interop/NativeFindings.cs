using System.Text;

namespace ElicitDoctor.Interop;

/// <summary>Lists of findings: a report's, and the ones that checks make.</summary>
internal static unsafe class NativeFindings
{
    internal static IReadOnlyList<Finding> CheckRequest(nint report, ReadOnlySpan<byte> paramsUtf8)
    {
        ElicitFindings* findings = null;
        ElicitError* error = null;
        // SAFETY: the caller keeps `report` alive, the pinned text is read during the call only, and both results are
        // locals of this frame.
        fixed (byte* text = paramsUtf8)
        {
            NativeError.ThrowIfFailed(
                NativeMethods.elicit_check_request(
                    (ElicitReport*)report, NativeText.Lend(text, paramsUtf8.Length), &findings, &error),
                error);
        }

        return Take(findings);
    }

    internal static IReadOnlyList<Finding> CheckAnswer(
        nint report, ReadOnlySpan<byte> paramsUtf8, ReadOnlySpan<byte> resultUtf8)
    {
        ElicitFindings* findings = null;
        ElicitError* error = null;
        // SAFETY: as in CheckRequest.
        fixed (byte* asked = paramsUtf8, answered = resultUtf8)
        {
            NativeError.ThrowIfFailed(
                NativeMethods.elicit_check_answer(
                    (ElicitReport*)report,
                    NativeText.Lend(asked, paramsUtf8.Length),
                    NativeText.Lend(answered, resultUtf8.Length),
                    &findings,
                    &error),
                error);
        }

        return Take(findings);
    }

    /// <summary>The findings of a list that the caller keeps alive meanwhile; none costs nothing.</summary>
    internal static IReadOnlyList<Finding> Read(ElicitFindings* findings)
    {
        // SAFETY: the caller keeps the list alive, and with it the texts of its findings; the rest is local to the frame.
        int count = checked((int)NativeMethods.elicit_findings_len(findings));
        if (count == 0)
        {
            return [];
        }

        var result = new Finding[count];
        for (int i = 0; i < result.Length; i++)
        {
            var finding = new ElicitFinding { struct_size = (uint)sizeof(ElicitFinding) };
            ElicitError* error = null;
            NativeError.ThrowIfFailed(NativeMethods.elicit_findings_get(findings, (nuint)i, &finding, &error), error);
            result[i] = new Finding(
                Encoding.UTF8.GetString(NativeText.Borrow(finding.code)),
                (FindingSeverity)finding.severity,
                Encoding.UTF8.GetString(NativeText.Borrow(finding.path)),
                Encoding.UTF8.GetString(NativeText.Borrow(finding.message)));
        }

        return Array.AsReadOnly(result);
    }

    private static IReadOnlyList<Finding> Take(ElicitFindings* findings)
    {
        try
        {
            return Read(findings);
        }
        finally
        {
            // SAFETY: the check has made the list for this caller, who frees it once, after the texts are copied.
            NativeMethods.elicit_findings_free(findings);
        }
    }
}
