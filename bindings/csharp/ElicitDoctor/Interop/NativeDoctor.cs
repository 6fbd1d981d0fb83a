using System.Runtime.CompilerServices;
using System.Text;

namespace ElicitDoctor.Interop;

/// <summary>The native functions that belong to no object.</summary>
internal static class NativeDoctor
{
    internal static string Version()
    {
        NativeLibraryLoader.ThrowIfUnusable();
        return Encoding.UTF8.GetString(NativeText.Borrow(NativeMethods.elicit_version()));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Verdict Classify(int action, ulong latencyMs, bool timedOut, bool errored)
    {
        NativeLibraryLoader.ThrowIfUnusable();
        return (Verdict)NativeMethods.elicit_classify(action, latencyMs, timedOut ? (byte)1 : (byte)0, errored ? (byte)1 : (byte)0);
    }

    internal static string VerdictName(int verdict)
    {
        NativeLibraryLoader.ThrowIfUnusable();
        return Encoding.UTF8.GetString(NativeText.Borrow(NativeMethods.elicit_verdict_name(verdict)));
    }
}
