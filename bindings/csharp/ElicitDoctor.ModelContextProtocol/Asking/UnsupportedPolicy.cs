namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What a question comes to where the host cannot be asked.</summary>
/// <remarks>None of them is consent.</remarks>
public enum UnsupportedPolicy
{
    /// <summary>The question is skipped: its outcome is <c>Unsupported</c>, and the tool's own code goes on.</summary>
    Skip = 0,

    /// <summary>
    /// The call ends at the question, with a tool error that names the host, what is missing and the workaround. Catching the exception
    /// does not change that.
    /// </summary>
    Deny = 1,

    /// <summary>As <see cref="Deny"/>, and the error tells the model to ask the user itself and call again with the answers as arguments.</summary>
    AskAgainWithArguments = 2,
}
