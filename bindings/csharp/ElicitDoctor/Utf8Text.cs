using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace ElicitDoctor;

/// <summary>A string as UTF-8 in a rented buffer, for one call.</summary>
internal readonly ref struct Utf8Text
{
    private readonly byte[] _buffer;
    private readonly int _length;

    internal Utf8Text(string text)
    {
        _buffer = ArrayPool<byte>.Shared.Rent(Encoding.UTF8.GetByteCount(text));
        OperationStatus status = Utf8.FromUtf16(text, _buffer, out int charsRead, out _length, replaceInvalidSequences: false);
        if (status != OperationStatus.Done)
        {
            Dispose();
            throw new ElicitDoctorException(
                ElicitStatus.InvalidUtf8,
                $"The text cannot be written as UTF-8: there is a lone surrogate at index {charsRead}. "
                + "Pass text that is valid UTF-16.");
        }
    }

    internal ReadOnlySpan<byte> Bytes => _buffer.AsSpan(0, _length);

    public void Dispose() => ArrayPool<byte>.Shared.Return(_buffer);
}
