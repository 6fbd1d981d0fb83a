using System.Text.Json;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Settings of one question.</summary>
public class ElicitOptions
{
    /// <summary>
    /// The name of the question within its tool, under which the answer comes back on 2026-07-28. Null unless set: <c>q1</c>,
    /// <c>q2</c>, … in the order in which the tool asks.
    /// </summary>
    /// <remarks>
    /// Give keys where the order of the questions depends on something that can change between two calls. One key names one question of a
    /// call; a second one with it is refused, however equal, since one answer would count for both.
    /// </remarks>
    /// <exception cref="ArgumentException">The value is empty or white space, or has characters outside the basic plane of Unicode.</exception>
    public string? Key
    {
        get;
        init
        {
            if (value is not null)
            {
                ArgumentException.ThrowIfNullOrWhiteSpace(value);
                if (value.Any(char.IsSurrogate))
                {
                    throw new ArgumentException("A key has only characters of the basic plane of Unicode: letters, digits and the like.", nameof(value));
                }
            }

            field = value;
        }
    }

    /// <summary>How long to wait for the answer; null for <see cref="ElicitDoctorOptions.QuestionTimeout"/>.</summary>
    /// <remarks>On 2026-07-28, where no call is open meanwhile, it is how long the state of the question is good for.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is zero or negative, or longer than 24 days.</exception>
    public TimeSpan? Timeout
    {
        get;
        init => field = value is { } timeout ? Limits.Check(timeout) : null;
    }

    /// <summary>
    /// What the user can do on a host that cannot ask, such as <c>pass --yes</c>. It stands in the tool error of
    /// <see cref="UnsupportedPolicy.Deny"/> and <see cref="UnsupportedPolicy.AskAgainWithArguments"/>.
    /// </summary>
    public string? Workaround { get; init; }

    /// <summary>
    /// How the type of the answer is serialized, for the calls that take a type and no <c>JsonTypeInfo</c>. Null for the SDK's
    /// <c>McpJsonUtilities.DefaultOptions</c>.
    /// </summary>
    public JsonSerializerOptions? SerializerOptions { get; init; }

    /// <summary>
    /// Whether a host that wants progress on the call hears every few seconds that the server waits, which keeps many hosts from
    /// ending it. True unless set; set it to false in a tool that reports progress of its own, whose numbers would run against these.
    /// </summary>
    public bool SendProgress { get; init; } = true;

    /// <summary>Whether a host that cannot be asked gives an outcome whatever the policy is: for the doctor's own tools, which report it.</summary>
    internal bool AlwaysSkips { get; init; }
}
