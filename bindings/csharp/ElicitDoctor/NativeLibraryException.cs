namespace ElicitDoctor;

/// <summary>
/// The native library is missing, is for another processor or operating system, or has another ABI version than this
/// package needs.
/// </summary>
/// <remarks>
/// The message names the file, the places searched, the RID of the process and what to do. Every call that needs the
/// library throws it. The library is looked for once per process: after a repair start the process again.
/// </remarks>
public sealed class NativeLibraryException : ElicitDoctorException
{
    /// <summary>Makes the exception with <see cref="ElicitStatus.LibraryNotUsable"/>.</summary>
    /// <param name="message">Which file was looked for, where, for which RID, and what to do.</param>
    /// <param name="innerException">The cause, where there is one.</param>
    public NativeLibraryException(string message, Exception? innerException = null)
        : base(ElicitStatus.LibraryNotUsable, message, innerException)
    {
    }
}
