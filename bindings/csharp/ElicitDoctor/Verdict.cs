namespace ElicitDoctor;

/// <summary>What the outcome of one elicitation says about the host that was asked.</summary>
/// <remarks>
/// <see cref="Doctor.Classify"/> gives it. The first rule that fits decides: a time-out, an error or no known action,
/// an accept, a decline or cancel faster than a person could give it, a decline or cancel. The numbers are those of the
/// C header's <c>ElicitVerdict</c>; there is no value 0.
/// </remarks>
public enum Verdict
{
    /// <summary>The host accepted: <c>working</c>.</summary>
    Working = 1,

    /// <summary>Declined or cancelled after 2000 ms or more, as a person does: <c>user_declined</c>.</summary>
    UserDeclined = 2,

    /// <summary>
    /// Declined or cancelled in less than 2000 ms: the host advertises elicitation and dismisses the question without
    /// showing it, <c>advertised_but_autocanceled</c>.
    /// </summary>
    AdvertisedButAutocanceled = 3,

    /// <summary>
    /// No answer in time: the host advertises elicitation and lets the question lie, <c>advertised_but_unanswered</c>.
    /// </summary>
    AdvertisedButUnanswered = 4,

    /// <summary>An error came back, or an answer without a known action: <c>unsupported</c>.</summary>
    Unsupported = 5,
}
