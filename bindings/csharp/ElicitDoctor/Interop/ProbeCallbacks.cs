using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ElicitDoctor.Interop;

/// <summary>The functions that the engine calls. <c>user_data</c> is a GCHandle of the probe.</summary>
internal static unsafe class ProbeCallbacks
{
    private static int _rooted;

    /// <summary>How many probes the engines of this process hold on to: those that were started and have not ended.</summary>
    internal static int Rooted => Volatile.Read(ref _rooted);

    /// <summary>Keeps a probe alive until <see cref="OnDone"/> or <see cref="Unroot"/>, whichever its caller comes to.</summary>
    internal static nint Root(IProbeCallbacks probe)
    {
        nint handle = GCHandle.ToIntPtr(GCHandle.Alloc(probe));
        Interlocked.Increment(ref _rooted);
        return handle;
    }

    internal static IProbeCallbacks Unroot(nint handle)
    {
        GCHandle root = GCHandle.FromIntPtr(handle);
        var probe = (IProbeCallbacks)root.Target!;
        root.Free();
        Interlocked.Decrement(ref _rooted);
        return probe;
    }

    // SAFETY of the three below: the engine hands back the `user_data` that it was given, calls OnDone once and last,
    // and lends the text of OnRequest for the call. Nothing is thrown, since IProbeCallbacks does not.
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static void OnRequest(void* userData, ulong id, ElicitStr paramsJson) =>
        Probe(userData).Request(id, NativeText.Borrow(paramsJson));

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static void OnCancel(void* userData, ulong id) => Probe(userData).Cancel();

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static void OnDone(void* userData, ulong id, ElicitStatus status, ElicitReport* report) =>
        Unroot((nint)userData).Done((ElicitDoctor.ElicitStatus)status, (nint)report);

    private static IProbeCallbacks Probe(void* userData) => (IProbeCallbacks)GCHandle.FromIntPtr((nint)userData).Target!;
}
