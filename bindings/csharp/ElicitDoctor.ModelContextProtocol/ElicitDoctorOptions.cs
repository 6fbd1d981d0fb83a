namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Settings of <see cref="Microsoft.Extensions.DependencyInjection.ElicitDoctorBuilderExtensions.WithElicitDoctor"/>.</summary>
public sealed class ElicitDoctorOptions
{
    /// <summary>
    /// The name under which hosts see the doctor's tool. <c>elicit_doctor</c> unless set; another name serves a server
    /// whose tools share a prefix.
    /// </summary>
    /// <exception cref="ArgumentException">The value is null, empty or white space.</exception>
    public string ToolName
    {
        get;
        set
        {
            ArgumentException.ThrowIfNullOrWhiteSpace(value);
            field = value;
        }
    } = "elicit_doctor";

    /// <summary>How long a probe waits for the answer while the call is open. 40 seconds unless set.</summary>
    /// <remarks>
    /// Many hosts end a call after 60 seconds, so that nobody gets the report of a probe that waits so long: from there on the
    /// report has a finding. At the time-out the host is told to take the question back; before version 2.4.0 the SDK does not do that.
    /// On 2026-07-28 no call is open while the user thinks; there <see cref="StateLifetime"/> is the limit.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is zero or negative.</exception>
    public TimeSpan ProbeTimeout
    {
        get;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(value, TimeSpan.Zero);
            field = value;
        }
    } = TimeSpan.FromSeconds(40);

    /// <summary>
    /// The keys, of 32 random bytes each, that seal what travels through the client between the two calls of a probe on 2026-07-28.
    /// Empty unless filled, which means one random key of this process.
    /// </summary>
    /// <remarks>
    /// Give all instances behind a load balancer the same keys, so that one can finish what another began. The first key seals,
    /// every one opens: to rotate, put the new key behind the old one on every instance, then in front of it, and take the old one
    /// out after a <see cref="StateLifetime"/>. A key of another length stops the server at its start. Keys are secrets.
    /// </remarks>
    public IList<byte[]> StateKeys { get; } = [];

    /// <summary>How long the user may think about a question on 2026-07-28. Ten minutes unless set.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is zero or negative.</exception>
    public TimeSpan StateLifetime
    {
        get;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(value, TimeSpan.Zero);
            field = value;
        }
    } = TimeSpan.FromMinutes(10);

    /// <summary>
    /// Makes the page for a URL probe (<c>probeUrl</c>). Null unless set: the server has no pages, and no URL probe is made.
    /// </summary>
    /// <remarks>
    /// The argument is a name for the probe: unique, hard to guess, and safe in a path. On 2026-07-28 this is called twice for a
    /// probe, with the same name, and maybe on two instances of the server. It may be called from any thread.
    /// </remarks>
    public Func<string, ProbePage>? ProbePage { get; set; }
}
