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
    /// report has a finding. At the time-out the host is told to take the question back.
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
    /// The keys, of 32 random bytes each, that seal what travels through the client between the calls of a probe or a question on 2026-07-28.
    /// Empty unless filled, which means one random key of this process.
    /// </summary>
    /// <remarks>
    /// Give all instances behind a load balancer the same keys, so that one can finish what another began. The first key seals,
    /// every one opens: to rotate, put the new key behind the old one on every instance, then in front of it, and take the old one
    /// out when the longest of <see cref="StateLifetime"/>, <see cref="QuestionTimeout"/> and <see cref="ElicitOptions.Timeout"/> is over. A key of another length stops the server at its start. Keys are secrets.
    /// </remarks>
    public IList<byte[]> StateKeys { get; } = [];

    /// <summary>How long the user may think about a probe on 2026-07-28. Ten minutes unless set.</summary>
    /// <remarks>For the questions of tools it is <see cref="QuestionTimeout"/>.</remarks>
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

    /// <summary>The tools to add. <see cref="ElicitDoctorTools.Doctor"/> unless set.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value has a flag that does not exist.</exception>
    public ElicitDoctorTools Tools
    {
        get;
        set => field = (value & ~ElicitDoctorTools.All) == 0
            ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, $"The tools are {ElicitDoctorTools.All}.");
    } = ElicitDoctorTools.Doctor;

    /// <summary>How long a question of <c>TryElicitAsync</c>, <c>TryElicitUrlAsync</c> and <c>ConfirmAsync</c> waits. Five minutes unless set.</summary>
    /// <remarks>
    /// At the time-out the host is told to take the question back and the outcome is
    /// <c>TimedOut</c>. On 2026-07-28 no call is open while the user thinks; there it is how long the state of the question is good for.
    /// A host may end the call earlier by a limit of its own, 60 seconds in many, unless it counts from the last progress: the server sends
    /// some while it waits.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is zero or negative, or longer than 24 days.</exception>
    public TimeSpan QuestionTimeout
    {
        get;
        set => field = Limits.Check(value);
    } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// The least time that a person takes to say yes. A yes that <c>ConfirmAsync</c> gets sooner is a machine's and no consent. 250 ms
    /// unless set.
    /// </summary>
    /// <remarks>
    /// Nobody sees a question, reads it and answers in that time, while hosts that are set up to accept everything take a few
    /// milliseconds. Slower ones show themselves in a probe, whose finding holds for the session. Where questions share a round on
    /// 2026-07-28, the time of each counts from the round. A no is said to be a machine's below two
    /// seconds already, since nothing hangs on that. Zero lets every yes count; use it in tests, where a script answers.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
    public TimeSpan ShortestConfirmation
    {
        get;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, TimeSpan.Zero);
            field = value;
        }
    } = TimeSpan.FromMilliseconds(250);

    /// <summary>What a question comes to where the host cannot be asked. <see cref="UnsupportedPolicy.Skip"/> unless set.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not one of the enumeration's.</exception>
    public UnsupportedPolicy OnUnsupported
    {
        get;
        set => field = Enum.IsDefined(value) ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "There is no such policy.");
    }

    /// <summary>The same for single tools, by name; a tool that is not in here has <see cref="OnUnsupported"/>.</summary>
    public IDictionary<string, UnsupportedPolicy> OnUnsupportedByTool { get; } = new Dictionary<string, UnsupportedPolicy>();

    /// <summary>What hosts can be asked that are known to declare something else. The first that fits a host counts.</summary>
    public IList<HostOverride> HostOverrides { get; } = [];

    /// <summary>
    /// Whether tools with <see cref="RequiresElicitationAttribute"/> are left out of <c>tools/list</c> for hosts that cannot be asked in
    /// the mode that it names. False unless set.
    /// </summary>
    public bool HideToolsWithoutElicitation { get; set; }
}
