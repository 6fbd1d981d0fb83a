using System.Runtime.InteropServices;

namespace ElicitDoctor;

/// <summary>Keeps a native object alive while it is used, also when another thread disposes its owner meanwhile.</summary>
internal readonly ref struct Lease
{
    private readonly SafeHandle _handle;

    /// <exception cref="ObjectDisposedException">The owner was disposed.</exception>
    internal Lease(SafeHandle handle)
    {
        bool added = false;
        handle.DangerousAddRef(ref added);
        _handle = handle;
    }

    internal nint Address => _handle.DangerousGetHandle();

    public void Dispose() => _handle.DangerousRelease();
}
