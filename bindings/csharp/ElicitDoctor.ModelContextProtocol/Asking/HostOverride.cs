namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What a host can really be asked, where it is known to declare something else.</summary>
/// <remarks>
/// <para>
/// It changes the pre-check and the questions, for the clients of this name. The report of <c>elicit_doctor</c> still says what the
/// host declared. A mode that the protocol revision does not have stays unsupported.
/// </para>
/// <para>
/// Equal names come from different hosts: one client draws the form in its terminal and never answers from the desktop program around
/// it. The specification forbids to ask in a mode that was not declared; set one to true only for a host that was seen to do it.
/// </para>
/// </remarks>
/// <param name="name">The name in the client's <c>clientInfo</c>, compared by character.</param>
/// <exception cref="ArgumentException"><paramref name="name"/> is null, empty or white space.</exception>
public sealed class HostOverride(string name)
{
    /// <summary>The name in the client's <c>clientInfo</c>.</summary>
    public string Name { get; } = Checked(name);

    /// <summary>Says for which versions this holds, given that of <c>clientInfo</c>, which may be null. Null unless set: for all of them.</summary>
    public Func<string?, bool>? Version { get; init; }

    /// <summary>Whether forms can be asked; null for what the host declared.</summary>
    public bool? Form { get; init; }

    /// <summary>Whether URLs can be asked; null for what the host declared.</summary>
    public bool? Url { get; init; }

    internal bool Fits(string? hostName, string? hostVersion) => hostName == Name && Version?.Invoke(hostVersion) != false;

    private static string Checked(string name)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(name);
        return name;
    }
}
