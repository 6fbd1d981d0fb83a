namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Whether somebody agreed.</summary>
public sealed class Confirmation
{
    internal Confirmation(ElicitationOutcome<bool> outcome)
    {
        Outcome = outcome;
    }

    /// <summary>
    /// Whether a person said yes. False in every other case: a no, a dismissal, a time-out, a host that cannot ask, one that answered by
    /// itself, and one that failed.
    /// </summary>
    public bool Given => Outcome is ElicitationOutcome<bool>.Accepted(true);

    /// <summary>
    /// What came of the question, in detail. <c>Accepted(false)</c> is the no of a user who picked it in the form; a host whose yes is a
    /// machine's is <c>Unsupported</c>.
    /// </summary>
    public ElicitationOutcome<bool> Outcome { get; }

    /// <summary>One or two sentences for the tool's answer: what came of the question, and what the user can do instead.</summary>
    /// <param name="workaround">What the user can do instead, such as <c>pass --yes</c>; said unless the user answered.</param>
    public string Explain(string? workaround = null) => Outcome switch
    {
        ElicitationOutcome<bool>.Accepted(true) => "The user agreed.",
        ElicitationOutcome<bool>.Accepted => "The user said no.",
        _ => Outcome.Explain(workaround),
    };
}
