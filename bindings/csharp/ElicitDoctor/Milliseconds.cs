namespace ElicitDoctor;

internal static class Milliseconds
{
    /// <summary>The milliseconds of a positive time span; a fraction counts as a whole one, so that none becomes 0.</summary>
    internal static ulong ToWholeMilliseconds(this TimeSpan positive) =>
        ((ulong)positive.Ticks + (ulong)TimeSpan.TicksPerMillisecond - 1) / (ulong)TimeSpan.TicksPerMillisecond;
}
