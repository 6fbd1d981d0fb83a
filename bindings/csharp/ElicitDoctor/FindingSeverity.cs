namespace ElicitDoctor;

/// <summary>How much a <see cref="Finding"/> matters to the server.</summary>
public enum FindingSeverity
{
    /// <summary>Good to know; nothing has to change.</summary>
    Info = 0,

    /// <summary>Works, but not as the handshake suggests.</summary>
    Warning = 1,

    /// <summary>The handshake breaks the specification or makes elicitation impossible.</summary>
    Error = 2,
}
