namespace ElicitDoctor;

/// <summary>A call of elicit-doctor failed; <see cref="Status"/> says why, the message says where and what to do.</summary>
public class ElicitDoctorException : Exception
{
    /// <summary>Makes the exception.</summary>
    /// <param name="status">The reason.</param>
    /// <param name="message">What happened, where, and what to do about it.</param>
    /// <param name="innerException">The cause, where there is one.</param>
    public ElicitDoctorException(ElicitStatus status, string message, Exception? innerException = null)
        : base(message, innerException)
    {
        Status = status;
    }

    /// <summary>Why the call failed.</summary>
    public ElicitStatus Status { get; }
}
