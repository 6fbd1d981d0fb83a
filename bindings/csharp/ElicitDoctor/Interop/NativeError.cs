using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text;

namespace ElicitDoctor.Interop;

internal static unsafe class NativeError
{
    /// <summary>Frees the error and throws what it says, unless the status is success.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void ThrowIfFailed(ElicitStatus status, ElicitError* error)
    {
        if (status != ElicitStatus.Ok)
        {
            Throw(status, error);
        }
    }

    /// <summary>The same, but passes over one status.</summary>
    internal static void ThrowIfFailed(ElicitStatus status, ElicitError* error, ElicitStatus except)
    {
        if (status == except)
        {
            // SAFETY: the failed call has made the error for this caller, who frees it once.
            NativeMethods.elicit_error_free(error);
            return;
        }

        ThrowIfFailed(status, error);
    }

    [DoesNotReturn]
    private static void Throw(ElicitStatus status, ElicitError* error)
    {
        string message;
        try
        {
            // SAFETY: the failed call has made the error for this caller, who frees it once, after the message is copied.
            message = Encoding.UTF8.GetString(NativeText.Borrow(NativeMethods.elicit_error_message(error)));
        }
        finally
        {
            NativeMethods.elicit_error_free(error);
        }

        throw new ElicitDoctorException((ElicitDoctor.ElicitStatus)status, message);
    }
}
