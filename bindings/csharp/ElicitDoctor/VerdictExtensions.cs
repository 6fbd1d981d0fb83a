using ElicitDoctor.Interop;

namespace ElicitDoctor;

/// <summary>The names that verdicts have in a report.</summary>
public static class VerdictExtensions
{
    /// <summary>The verdict's name in a report, such as <c>advertised_but_autocanceled</c>.</summary>
    /// <param name="verdict">One of the five values of <see cref="Verdict"/>.</param>
    /// <returns>The name as the core writes it into <c>probes.*.verdict</c>.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="verdict"/> is none of the five.</exception>
    /// <exception cref="NativeLibraryException">The native library is missing or does not fit.</exception>
    public static string ToWireName(this Verdict verdict)
    {
        string name = NativeDoctor.VerdictName((int)verdict);
        return name.Length > 0
            ? name
            : throw new ArgumentOutOfRangeException(nameof(verdict), verdict, "There is no such verdict.");
    }
}
