namespace ElicitDoctor;

/// <summary>What the host answered to an elicitation: the <c>action</c> of the specification's <c>ElicitResult</c>.</summary>
public enum ElicitationAction
{
    /// <summary>No answer, or one whose action the specification does not know.</summary>
    None = 0,

    /// <summary>The user gave the answer: <c>accept</c>.</summary>
    Accept = 1,

    /// <summary>The user said no: <c>decline</c>.</summary>
    Decline = 2,

    /// <summary>The user dismissed the question without choosing: <c>cancel</c>.</summary>
    Cancel = 3,
}
