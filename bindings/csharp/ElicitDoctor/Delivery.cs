namespace ElicitDoctor;

/// <summary>The way in which a server may put a question to this host.</summary>
public enum Delivery
{
    /// <summary>There is none: the host does not elicit, its handshake was not seen, or the server keeps no session.</summary>
    None = 0,

    /// <summary>
    /// The server sends <c>elicitation/create</c> and waits for its answer: the revisions with <c>initialize</c>.
    /// </summary>
    Request = 1,

    /// <summary>
    /// The server answers the call with the input it still needs, and the host repeats the call with that input: the
    /// revisions from 2026-07-28 on.
    /// </summary>
    InputRequired = 2,
}
