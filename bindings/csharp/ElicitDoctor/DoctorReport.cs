using System.Buffers;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using ElicitDoctor.Interop;

namespace ElicitDoctor;

/// <summary>What an MCP host declared, what it means for a server, and the JSON text that says so.</summary>
/// <remarks>
/// <para>
/// <see cref="Doctor.Report(ReadOnlySpan{byte})"/> makes it from a handshake, <see cref="Parse(ReadOnlySpan{byte})"/>
/// from its own JSON. It never changes: any number of threads may read it at once.
/// </para>
/// <para>
/// It owns native memory. <see cref="Dispose"/> frees it at once, from any thread and also while others read: those
/// finish first. Without it the finalizer does the same later, so that forgetting it leaks nothing. After
/// <see cref="Dispose"/> the members throw <see cref="ObjectDisposedException"/>.
/// </para>
/// </remarks>
public sealed class DoctorReport : IDisposable
{
    private readonly Handle _handle;
    private IReadOnlyList<Finding>? _findings;
    private string? _revision;

    private DoctorReport(nint report)
    {
        _handle = new Handle(report);
    }

    /// <summary>What the host declared that it can do.</summary>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public Support Support
    {
        get
        {
            using var lease = new Lease(_handle);
            return NativeReport.Support(lease.Address);
        }
    }

    /// <summary>
    /// The negotiated revision of the protocol, such as <c>2025-11-25</c>; null if the handshake does not tell. A
    /// revision that this version does not know stays as the host wrote it.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public string? Revision
    {
        get
        {
            using var lease = new Lease(_handle);
            string revision = _revision ??= Encoding.UTF8.GetString(NativeReport.Revision(lease.Address));
            return revision.Length > 0 ? revision : null;
        }
    }

    /// <summary>The way in which a server may put a question to this host.</summary>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public Delivery Delivery
    {
        get
        {
            using var lease = new Lease(_handle);
            return NativeReport.Delivery(lease.Address);
        }
    }

    /// <summary>The oddities of the handshake, in the order of the report; empty if there are none.</summary>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public IReadOnlyList<Finding> Findings
    {
        get
        {
            using var lease = new Lease(_handle);
            return _findings ??= NativeReport.Findings(lease.Address);
        }
    }

    /// <summary>The length of the report's JSON in bytes of UTF-8.</summary>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public int Utf8Length
    {
        get
        {
            using var lease = new Lease(_handle);
            return NativeReport.Json(lease.Address).Length;
        }
    }

    /// <summary>Reads a report from the JSON that a report was written as, here or elsewhere.</summary>
    /// <param name="reportUtf8">UTF-8 JSON of at most 2 MiB, nested at most 136 levels; read during the call only.</param>
    /// <returns>The report, with the same values and the same text as the one that was written.</returns>
    /// <exception cref="ElicitDoctorException">
    /// The text is no report; <see cref="ElicitDoctorException.Status"/> says why, the message names the byte or the
    /// JSON Pointer.
    /// </exception>
    /// <exception cref="NativeLibraryException">The native library is missing or does not fit.</exception>
    public static DoctorReport Parse(ReadOnlySpan<byte> reportUtf8) => new(NativeReport.Parse(reportUtf8));

    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})"/>
    /// <param name="reportJson">JSON of at most 2 MiB when written as UTF-8, nested at most 136 levels.</param>
    /// <exception cref="ArgumentNullException"><paramref name="reportJson"/> is null.</exception>
    public static DoctorReport Parse(string reportJson)
    {
        ArgumentNullException.ThrowIfNull(reportJson);
        using var utf8 = new Utf8Text(reportJson);
        return Parse(utf8.Bytes);
    }

    /// <summary>Copies the report's JSON as UTF-8.</summary>
    /// <param name="destination">Where to; <see cref="Utf8Length"/> bytes are enough.</param>
    /// <param name="bytesWritten">The bytes copied; 0 if the method returns <see langword="false"/>.</param>
    /// <returns><see langword="false"/>, with nothing copied, if <paramref name="destination"/> is too short.</returns>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public bool TryWriteTo(Span<byte> destination, out int bytesWritten)
    {
        using var lease = new Lease(_handle);
        ReadOnlySpan<byte> json = NativeReport.Json(lease.Address);
        bool fits = json.TryCopyTo(destination);
        bytesWritten = fits ? json.Length : 0;
        return fits;
    }

    /// <summary>Writes the report's JSON as UTF-8.</summary>
    /// <param name="writer">Where to; it is advanced by <see cref="Utf8Length"/> bytes.</param>
    /// <exception cref="ArgumentNullException"><paramref name="writer"/> is null.</exception>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public void WriteTo(IBufferWriter<byte> writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        using var lease = new Lease(_handle);
        writer.Write(NativeReport.Json(lease.Address));
    }

    /// <summary>Writes the report as one JSON value, byte for byte, without regard to the writer's indentation.</summary>
    /// <param name="writer">Where to; it must be at a place where a value may stand.</param>
    /// <exception cref="ArgumentNullException"><paramref name="writer"/> is null.</exception>
    /// <exception cref="InvalidOperationException">A value may not stand where the writer is.</exception>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public void WriteTo(Utf8JsonWriter writer)
    {
        ArgumentNullException.ThrowIfNull(writer);
        using var lease = new Lease(_handle);
        writer.WriteRawValue(NativeReport.Json(lease.Address), skipInputValidation: true);
    }

    /// <summary>The report's JSON as a string.</summary>
    /// <returns>A new string; on a hot path prefer the members that write UTF-8.</returns>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public string ToJson()
    {
        using var lease = new Lease(_handle);
        return Encoding.UTF8.GetString(NativeReport.Json(lease.Address));
    }

    /// <summary>A copy of this report that says why a probe was not attempted.</summary>
    /// <param name="mode">The mode whose probe it is.</param>
    /// <param name="reason">Why, in one line for a person, cut after 300 characters; it stands in the report as
    /// <c>probes.*.reason</c>.</param>
    /// <returns>A new report; this one stays as it is.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="reason"/> is null.</exception>
    /// <exception cref="ElicitDoctorException"><paramref name="mode"/> is neither form nor URL, or
    /// <paramref name="reason"/> has no UTF-8 form.</exception>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public DoctorReport WithSkippedProbe(ElicitationMode mode, string reason)
    {
        ArgumentNullException.ThrowIfNull(reason);
        using var utf8 = new Utf8Text(reason);
        using var lease = new Lease(_handle);
        return new DoctorReport(NativeReport.SkipProbe(lease.Address, (int)mode, utf8.Bytes));
    }

    /// <summary>A copy of this report that says whether the page of its URL probe was visited.</summary>
    /// <param name="visited">What the server saw; null if it cannot see that. It stands in the report as
    /// <c>probes.elicitationUrl.visited</c>.</param>
    /// <returns>A new report; this one stays as it is. Without a URL probe that was attempted the copy says the same as
    /// this report.</returns>
    /// <exception cref="ObjectDisposedException">The report was disposed.</exception>
    public DoctorReport WithVisit(bool? visited)
    {
        using var lease = new Lease(_handle);
        return new DoctorReport(NativeReport.WithVisit(lease.Address, visited));
    }

    /// <summary>Frees the native memory, at the latest when the calls under way are done; a second call does nothing.</summary>
    public void Dispose() => _handle.Dispose();

    internal static DoctorReport FromHandshake(ReadOnlySpan<byte> handshakeUtf8) =>
        new(NativeReport.FromHandshake(handshakeUtf8));

    /// <summary>Takes over a native report that nobody else frees.</summary>
    internal static DoctorReport FromNative(nint report) => new(report);

    internal Lease Borrow() => new(_handle);

    private sealed class Handle : SafeHandle
    {
        internal Handle(nint report)
            : base(invalidHandleValue: 0, ownsHandle: true)
        {
            SetHandle(report);
        }

        public override bool IsInvalid => handle == 0;

        protected override bool ReleaseHandle()
        {
            NativeReport.Free(handle);
            return true;
        }
    }
}
