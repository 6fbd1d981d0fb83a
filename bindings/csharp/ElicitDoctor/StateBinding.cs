namespace ElicitDoctor;

/// <summary>
/// What a sealed state belongs to. A client that hands it in for anything else is refused, so name all that decides what
/// the state may do.
/// </summary>
public sealed class StateBinding
{
    /// <summary>The tool that was called.</summary>
    public required string Tool { get; init; }

    /// <summary>Who the client is, as the server knows it; empty where there is no such notion, as over a pipe.</summary>
    public string Principal { get; init; } = "";

    /// <summary>
    /// The arguments of the call as UTF-8 JSON; empty for none. White space, the order of keys and escapes do not matter.
    /// </summary>
    public ReadOnlyMemory<byte> Arguments { get; init; }
}
