namespace ElicitDoctor;

/// <summary>One oddity of a handshake, a request or an answer, and what it means for the server.</summary>
/// <param name="Code">
/// The stable name of this kind of finding, such as <c>elicitation_not_an_object</c>. Later versions may add codes, so
/// treat one that you do not know by its <paramref name="Severity"/>.
/// </param>
/// <param name="Severity">How much it matters.</param>
/// <param name="Path">
/// The place in the report, or in what was checked, as a JSON Pointer (RFC 6901), such as
/// <c>/initialize/request/capabilities/elicitation</c>; empty for the whole.
/// </param>
/// <param name="Message">One English sentence for a person; its wording may change between versions.</param>
public sealed record Finding(string Code, FindingSeverity Severity, string Path, string Message);
