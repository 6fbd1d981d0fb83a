namespace ElicitDoctor.ModelContextProtocol;

/// <summary>A page that the user agreed to open. Whether it was opened, and what came of it, only the page knows.</summary>
/// <param name="Url">The page that the user was shown.</param>
/// <param name="ElicitationId">
/// The name of the question, for <c>notifications/elicitation/complete</c>; null on 2026-07-28, which has no such notification.
/// </param>
public sealed record UrlElicitation(Uri Url, string? ElicitationId);
