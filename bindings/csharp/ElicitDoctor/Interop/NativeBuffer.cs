namespace ElicitDoctor.Interop;

internal static unsafe class NativeBuffer
{
    /// <summary>Copies the text of a buffer and frees the buffer, which a call has just made for this caller.</summary>
    internal static byte[] Take(ElicitBuffer* buffer)
    {
        try
        {
            // SAFETY: the buffer lives until it is freed below, and the copy is made before.
            return NativeText.Borrow(NativeMethods.elicit_buffer_text(buffer)).ToArray();
        }
        finally
        {
            NativeMethods.elicit_buffer_free(buffer);
        }
    }
}
