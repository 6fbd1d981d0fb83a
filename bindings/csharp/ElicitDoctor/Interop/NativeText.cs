namespace ElicitDoctor.Interop;

internal static unsafe class NativeText
{
    /// <summary>The bytes of a native text, without a copy; only as long as the object lives that it came from.</summary>
    internal static ReadOnlySpan<byte> Borrow(ElicitStr text)
    {
        // SAFETY: the library hands out a pointer to `len` initialised bytes, or null with a length of 0, and the caller
        // keeps the owner alive while it uses the span. A longer text than a span can hold cannot come from 1 MiB of input.
        return new ReadOnlySpan<byte>(text.ptr, checked((int)text.len));
    }

    /// <summary>A text for the library to read during one call, in which the caller keeps it pinned.</summary>
    internal static ElicitStr Lend(byte* pinned, int length) => new() { ptr = pinned, len = (nuint)length };
}
