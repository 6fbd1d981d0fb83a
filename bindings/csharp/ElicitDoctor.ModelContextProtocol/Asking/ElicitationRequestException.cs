namespace ElicitDoctor.ModelContextProtocol;

/// <summary>A question that must not be asked as its author wrote it, on any host.</summary>
/// <remarks>Thrown before anything is sent. The filters of <c>WithElicitDoctor</c> make a readable tool error of it.</remarks>
public sealed class ElicitationRequestException : ArgumentException
{
    internal ElicitationRequestException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
        Findings = [];
    }

    internal ElicitationRequestException(IReadOnlyList<Finding> findings)
        : base($"The question must not be asked like this. {Sentences.List(findings)}")
    {
        Findings = findings;
    }

    /// <summary>
    /// What the check of the request found, errors only, each with a JSON Pointer into the parameters of
    /// <c>elicitation/create</c>; empty where the parameters could not even be made.
    /// </summary>
    public IReadOnlyList<Finding> Findings { get; }
}
