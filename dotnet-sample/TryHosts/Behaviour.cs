using System.Text.Json;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;

namespace TryHosts;

/// <summary>What a played host does when the server asks something.</summary>
/// <param name="AnswerAsync">Gives the answer, or null where the host has no such method. The time is the server's time-out.</param>
/// <param name="MissesTimeout">Whether it does not answer before the time-out.</param>
internal sealed record Behaviour(Func<ElicitRequestParams, TimeSpan, CancellationToken, Task<ElicitResult>>? AnswerAsync, bool MissesTimeout = false)
{
    // From two seconds on, a "no" counts as a person's.
    private static readonly TimeSpan ThinkingTime = TimeSpan.FromMilliseconds(2100);

    /// <summary>Reads the question, thinks, and picks what it asks for.</summary>
    public static Behaviour AcceptAsAPerson { get; } = new(async (_, _, cancellationToken) =>
    {
        await Task.Delay(ThinkingTime, cancellationToken);
        return Accept("ok");
    });

    /// <summary>Reads the question, thinks, and says no.</summary>
    public static Behaviour DeclineAsAPerson { get; } = new(async (_, _, cancellationToken) =>
    {
        await Task.Delay(ThinkingTime, cancellationToken);
        return new() { Action = "decline" };
    });

    /// <summary>Shows nobody anything.</summary>
    public static Behaviour CancelAtOnce { get; } = new(async (_, _, cancellationToken) =>
    {
        await Task.Delay(TimeSpan.FromMilliseconds(8), cancellationToken);
        return new() { Action = "cancel" };
    });

    /// <summary>Fills in the first choice of the first field and accepts.</summary>
    public static Behaviour AcceptFirstOption { get; } = new((question, _, _) => Task.FromResult(FillInFirstOption(question)));

    /// <summary>Accepts and forgets what was asked.</summary>
    public static Behaviour AcceptWithoutContent { get; } = new((_, _, _) => Task.FromResult(new ElicitResult { Action = "accept" }));

    /// <summary>Declares what it does not have.</summary>
    public static Behaviour HaveNoMethod { get; } = new(AnswerAsync: null);

    /// <summary>Breaks.</summary>
    public static Behaviour Throw { get; } = new((_, _, _) => throw new McpException("the dialog could not be opened"));

    /// <summary>Waits until the server takes the question back.</summary>
    public static Behaviour NeverAnswer { get; } = new(
        async (_, _, cancellationToken) =>
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            throw new InvalidOperationException("This wait has no end.");
        },
        MissesTimeout: true);

    /// <summary>Does not hear that the server has given up, and answers after that.</summary>
    public static Behaviour AnswerLate { get; } = new(
        async (_, timeout, _) =>
        {
            await Task.Delay(timeout + TimeSpan.FromMilliseconds(500), CancellationToken.None);
            return Accept("ok");
        },
        MissesTimeout: true);

    private static ElicitResult Accept(string value, string field = "value") => new()
    {
        Action = "accept",
        Content = new Dictionary<string, JsonElement> { [field] = JsonSerializer.SerializeToElement(value) },
    };

    private static ElicitResult FillInFirstOption(ElicitRequestParams question)
    {
        var (field, schema) = question.RequestedSchema!.Properties.First();
        return Accept(((ElicitRequestParams.UntitledSingleSelectEnumSchema)schema).Enum[0], field);
    }
}
