namespace ElicitDoctor.ModelContextProtocol;

/// <summary>A page of the server that a URL probe asks the user to open.</summary>
/// <remarks>It should say that this was a test and ask for nothing.</remarks>
/// <param name="url">
/// The page: <c>https</c>, or <c>http</c> on the loopback, without user info. It should be another one for every probe, so that a
/// visit can be told from an earlier one.
/// </param>
public sealed class ProbePage(Uri url)
{
    /// <summary>The page.</summary>
    public Uri Url { get; } = url ?? throw new ArgumentNullException(nameof(url));

    /// <summary>Whether the page was opened; null where the server cannot see that, and then the report does not say.</summary>
    /// <remarks>
    /// Called when the host has accepted. By that it agrees to open the page and may not have done so yet: wait for the visit.
    /// The token ends the wait after ten seconds, which counts as not visited, and when the call is cancelled. What it throws
    /// otherwise is logged, and the report says null.
    /// </remarks>
    public Func<CancellationToken, Task<bool>>? Visited { get; init; }
}
