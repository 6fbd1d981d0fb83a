using System.Runtime.InteropServices;

namespace ElicitDoctor.Soak;

/// <summary>
/// The memory of the process without what its two allocators have free and keep for later. How much that is depends on
/// how many threads happened to allocate at once, and would hide a leak as well as look like one.
/// </summary>
internal static class WorkingSet
{
    private static readonly bool HasMallocTrim =
        NativeLibrary.TryLoad("libc.so.6", out nint libc) && NativeLibrary.TryGetExport(libc, "malloc_trim", out _);

    internal static long InUse()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        if (HasMallocTrim)
        {
            _ = MallocTrim(0);
        }

        return Environment.WorkingSet;
    }

    /// <summary><c>malloc_trim</c> of glibc.</summary>
    [DllImport("libc.so.6", EntryPoint = "malloc_trim")]
    private static extern int MallocTrim(nuint pad);
}
