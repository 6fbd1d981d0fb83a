namespace ElicitDoctor;

/// <summary>The host answered a question with an error, or the SDK that asked it says so. A <see cref="ProbeHost"/> throws it.</summary>
/// <remarks>
/// The core reads code and message as the SDKs of the field write them: <c>-32601</c> is "method not found", <c>-32001</c>
/// a time-out or a lost session, depending on the message.
/// </remarks>
public sealed class ProbeHostException : Exception
{
    /// <summary>Makes the exception.</summary>
    /// <param name="message">The message of the JSON-RPC error; its first 300 characters stand in the report.</param>
    /// <param name="code">The code of the JSON-RPC error; 0 if there is none.</param>
    /// <param name="timedOut">Whether this is known to mean that no answer came in time.</param>
    /// <param name="innerException">The cause, where there is one.</param>
    public ProbeHostException(string message, int code = 0, bool timedOut = false, Exception? innerException = null)
        : base(message, innerException)
    {
        Code = code;
        TimedOut = timedOut;
    }

    /// <summary>The code of the JSON-RPC error; 0 if there is none.</summary>
    public int Code { get; }

    /// <summary>
    /// Whether this is known to mean that no answer came in time. If <see langword="false"/>, code and message may still
    /// say so.
    /// </summary>
    public bool TimedOut { get; }
}
