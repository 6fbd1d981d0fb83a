namespace ElicitDoctor;

/// <summary>What the host declared that it can do, by the rules of the revision that was negotiated.</summary>
/// <remarks>
/// A declaration is no proof: hosts are known that declare elicitation and dismiss every question. For the rules see
/// "Capabilities" under "Elicitation" in the specification: <c>elicitation: {}</c> means form mode, modes exist since
/// 2025-11-25, elicitation exists since 2025-06-18.
/// </remarks>
/// <param name="Elicitation">Elicitation in any mode.</param>
/// <param name="ElicitationForm">Elicitation by form.</param>
/// <param name="ElicitationUrl">Elicitation by URL.</param>
/// <param name="Sampling">The host can sample its model for the server.</param>
/// <param name="Roots">The host tells its roots.</param>
public readonly record struct Support(
    bool Elicitation,
    bool ElicitationForm,
    bool ElicitationUrl,
    bool Sampling,
    bool Roots)
{
    /// <summary>Whether the host declared elicitation in this mode.</summary>
    /// <param name="mode">The mode to ask about.</param>
    /// <returns><see langword="true"/> if it did.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="mode"/> is neither form nor URL.</exception>
    public bool Supports(ElicitationMode mode) => mode switch
    {
        ElicitationMode.Form => ElicitationForm,
        ElicitationMode.Url => ElicitationUrl,
        _ => throw new ArgumentOutOfRangeException(nameof(mode), mode, "The modes are form and URL."),
    };
}
