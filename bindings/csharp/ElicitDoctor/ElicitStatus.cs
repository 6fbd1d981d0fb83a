namespace ElicitDoctor;

/// <summary>Why a call failed; the numbers from 0 up are those of the C header's <c>ElicitStatus</c>.</summary>
/// <remarks>Later versions append values; treat one that you do not know as a failure.</remarks>
public enum ElicitStatus
{
    /// <summary>The native library is missing, is for another processor or does not fit this package.</summary>
    LibraryNotUsable = -1,

    /// <summary>The call succeeded. No exception carries this value.</summary>
    Ok = 0,

    /// <summary>An argument is outside of what the call accepts, such as an unknown mode.</summary>
    InvalidArgument = 1,

    /// <summary>The text is not UTF-8, or a UTF-16 string has no UTF-8 form (a lone surrogate).</summary>
    InvalidUtf8 = 2,

    /// <summary>The text is not JSON.</summary>
    InvalidJson = 3,

    /// <summary>The text is longer than the call reads: 1 MiB (1,048,576 bytes of UTF-8) for a handshake, 2 MiB for a report.</summary>
    TooLarge = 4,

    /// <summary>The JSON is nested deeper than the call reads: 128 levels for a handshake.</summary>
    TooDeep = 5,

    /// <summary>The JSON is neither of the shapes that the call accepts.</summary>
    WrongShape = 6,

    /// <summary>A defect of the library: it panicked inside the call. Other calls are not affected.</summary>
    Panic = 7,

    /// <summary>There is no such open probe. <see cref="ProbeEngine"/> never lets it out: a late answer is ignored.</summary>
    NotFound = 8,

    /// <summary>The engine was shut down. <see cref="ProbeEngine"/> throws <see cref="ObjectDisposedException"/> instead.</summary>
    Shutdown = 9,

    /// <summary>The probe was cancelled. <see cref="ProbeEngine"/> throws <see cref="OperationCanceledException"/> instead.</summary>
    Cancelled = 10,

    /// <summary>The engine has as many open probes as it may; see <see cref="ProbeEngineOptions.MaxOpenProbes"/>.</summary>
    Full = 11,

    /// <summary>The system gave no thread or no timer for an engine.</summary>
    System = 12,

    /// <summary>The state is none of this library, or a part of one.</summary>
    StateMalformed = 13,

    /// <summary>The state was changed, or sealed with a key that this sealer does not have.</summary>
    StateForged = 14,

    /// <summary>The state's time is over.</summary>
    StateExpired = 15,

    /// <summary>The state was made for another principal or another tool.</summary>
    StateForeign = 16,

    /// <summary>The state was made for other arguments of the same tool.</summary>
    StateOtherArguments = 17,

    /// <summary>The repeated request has no answer to what was asked.</summary>
    NotAnswered = 18,
}
