using System.Runtime.CompilerServices;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What a time-out can be.</summary>
internal static class Limits
{
    // What a timer of the runtime can wait.
    private static readonly TimeSpan Longest = TimeSpan.FromDays(24);

    public static TimeSpan Check(TimeSpan timeout, [CallerMemberName] string? name = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(timeout, TimeSpan.Zero, name);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(timeout, Longest, name);
        return timeout;
    }
}
