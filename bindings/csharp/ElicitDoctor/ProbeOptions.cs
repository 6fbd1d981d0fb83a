namespace ElicitDoctor;

/// <summary>What a probe asks, and how long it waits. Never changes, so one object may serve any number of probes.</summary>
public sealed class ProbeOptions
{
    private static readonly TimeSpan ShortestTimeout = TimeSpan.FromMilliseconds(1);

    private readonly TimeSpan _timeout = DefaultTimeout;

    /// <summary>40 seconds: hosts end a tool call at 60, and a probe that waits that long never gets to report.</summary>
    public static TimeSpan DefaultTimeout { get; } = TimeSpan.FromSeconds(40);

    /// <summary>Whether to ask by a form, which is the default, or to visit a page.</summary>
    public ElicitationMode Mode { get; init; } = ElicitationMode.Form;

    /// <summary>
    /// How long to wait for the answer; <see cref="DefaultTimeout"/> unless set, at least a millisecond, of which
    /// fractions count as a whole. From 60 seconds on the report says that this is too long. A <see cref="RoundTrip"/>
    /// does not use it: there the lifetime of the state counts.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is shorter than a millisecond.</exception>
    public TimeSpan Timeout
    {
        get => _timeout;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, ShortestTimeout, nameof(Timeout));
            _timeout = value;
        }
    }

    /// <summary>
    /// The page to visit, for <see cref="ElicitationMode.Url"/>, which needs it: <c>https</c>, or <c>http</c> on the
    /// loopback, without user info. Not used for a form.
    /// </summary>
    public Uri? Url { get; init; }

    /// <summary>
    /// What names the visit of a page in revision 2025-11-25; must be unique. A new GUID unless set; not used for a form,
    /// and not by a <see cref="RoundTrip"/>, whose revision has none.
    /// </summary>
    public string? ElicitationId { get; init; }

    internal ulong TimeoutMs => Timeout.ToWholeMilliseconds();

    /// <summary>The page as it goes over the wire; what is no page for a probe is refused by the core.</summary>
    internal string UrlText => Url is null ? "" : Url.IsAbsoluteUri ? Url.AbsoluteUri : Url.OriginalString;
}
