using System.Diagnostics.CodeAnalysis;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What came of a question: exactly one of six cases, of which only <see cref="Accepted"/> has a value.</summary>
/// <remarks>
/// Match it with <c>switch</c> or with <see cref="Match"/>. What a host may do is always one of these and never an exception.
/// </remarks>
/// <typeparam name="T">What was asked for.</typeparam>
/// <example>
/// <code>
/// return outcome switch
/// {
///     ElicitationOutcome&lt;Booking&gt;.Accepted(var booking) => Book(booking),
///     ElicitationOutcome&lt;Booking&gt;.Declined => "No table was booked.",
///     _ => outcome.Explain(workaround: "name the day and the number of guests"),
/// };
/// </code>
/// </example>
[SuppressMessage("Design", "CA1034:Nested types should not be visible", Justification = "The cases of a closed union belong to it.")]
public abstract record ElicitationOutcome<T>
{
    private ElicitationOutcome()
    {
    }

    /// <summary>The host accepted with what was asked for: the content was checked against the schema that was sent.</summary>
    /// <remarks>Hosts that are set up to accept everything do so too. For consent ask by <c>ConfirmAsync</c>, which tells them apart.</remarks>
    /// <param name="Value">The answer.</param>
    public sealed record Accepted(T Value) : ElicitationOutcome<T>;

    /// <summary>The answer is no.</summary>
    /// <param name="AnsweredBy">A machine, where it came sooner than a person can give it (under two seconds).</param>
    public sealed record Declined(AnsweredBy AnsweredBy) : ElicitationOutcome<T>;

    /// <summary>The question was dismissed without an answer.</summary>
    /// <param name="AnsweredBy">A machine, where it came sooner than a person can do it (under two seconds).</param>
    public sealed record Cancelled(AnsweredBy AnsweredBy) : ElicitationOutcome<T>;

    /// <summary>The host cannot be asked; nothing was sent. Or, for a confirmation: its yes is a machine's.</summary>
    /// <param name="Gap">Why.</param>
    public sealed record Unsupported(SupportGap Gap) : ElicitationOutcome<T>;

    /// <summary>Nobody answered in time, and the host was told to take the question back. Not on 2026-07-28, where no call is open meanwhile.</summary>
    /// <param name="After">How long was waited.</param>
    public sealed record TimedOut(TimeSpan After) : ElicitationOutcome<T>;

    /// <summary>The host answered with an error, or with something that was not asked for, or could not be reached.</summary>
    /// <param name="Error">What happened, for a person.</param>
    /// <param name="ErrorCode">The code of the JSON-RPC error; null where there was none.</param>
    public sealed record Failed(string Error, int? ErrorCode = null) : ElicitationOutcome<T>;

    /// <summary>Runs the one function that fits and gives what it gives.</summary>
    /// <param name="accepted">Gets the answer.</param>
    /// <param name="declined">The answer was no.</param>
    /// <param name="cancelled">The question was dismissed.</param>
    /// <param name="unsupported">The host cannot be asked.</param>
    /// <param name="timedOut">Nobody answered.</param>
    /// <param name="failed">The host failed.</param>
    /// <exception cref="ArgumentNullException">One of the functions is null.</exception>
    public TResult Match<TResult>(
        Func<T, TResult> accepted,
        Func<Declined, TResult> declined,
        Func<Cancelled, TResult> cancelled,
        Func<Unsupported, TResult> unsupported,
        Func<TimedOut, TResult> timedOut,
        Func<Failed, TResult> failed)
    {
        ArgumentNullException.ThrowIfNull(accepted);
        ArgumentNullException.ThrowIfNull(declined);
        ArgumentNullException.ThrowIfNull(cancelled);
        ArgumentNullException.ThrowIfNull(unsupported);
        ArgumentNullException.ThrowIfNull(timedOut);
        ArgumentNullException.ThrowIfNull(failed);
        return this switch
        {
            Accepted outcome => accepted(outcome.Value),
            Declined outcome => declined(outcome),
            Cancelled outcome => cancelled(outcome),
            Unsupported outcome => unsupported(outcome),
            TimedOut outcome => timedOut(outcome),
            _ => failed((Failed)this),
        };
    }

    /// <summary>The answer, where there is one.</summary>
    /// <param name="value">The answer of <see cref="Accepted"/>, else the default value.</param>
    /// <returns>Whether this is <see cref="Accepted"/>.</returns>
    public bool TryGetValue([MaybeNullWhen(false)] out T value)
    {
        value = this is Accepted accepted ? accepted.Value : default;
        return this is Accepted;
    }

    /// <summary>One or two sentences for the tool's answer: what came of the question, and what the user can do instead.</summary>
    /// <param name="workaround">What the user can do instead, such as <c>name a destination</c>; said unless the question was answered.</param>
    public string Explain(string? workaround = null) => this switch
    {
        Accepted => "The user answered.",
        Declined { AnsweredBy: AnsweredBy.Machine } => Sentences.WithWorkaround(
            "The host declined by itself, sooner than anybody could have seen the question.", workaround),
        Declined => "The user declined.",
        Cancelled { AnsweredBy: AnsweredBy.Machine } => Sentences.WithWorkaround(
            "The host dismissed the question by itself, sooner than anybody could have seen it.", workaround),
        Cancelled => Sentences.WithWorkaround("The user dismissed the question.", workaround),
        Unsupported unsupported => Sentences.WithWorkaround(unsupported.Gap.ToString(), workaround),
        TimedOut timedOut => Sentences.WithWorkaround($"Nobody answered within {Sentences.Of(timedOut.After)}.", workaround),
        _ => Sentences.WithWorkaround($"The question got no usable answer: {((Failed)this).Error}", workaround),
    };

    /// <summary>The same case with another value.</summary>
    internal ElicitationOutcome<TOther> Select<TOther>(Func<T, ElicitationOutcome<TOther>> accepted) => Match(
        accepted,
        declined => new ElicitationOutcome<TOther>.Declined(declined.AnsweredBy),
        cancelled => new ElicitationOutcome<TOther>.Cancelled(cancelled.AnsweredBy),
        unsupported => new ElicitationOutcome<TOther>.Unsupported(unsupported.Gap),
        timedOut => new ElicitationOutcome<TOther>.TimedOut(timedOut.After),
        failed => new ElicitationOutcome<TOther>.Failed(failed.Error, failed.ErrorCode));
}
