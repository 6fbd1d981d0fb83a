namespace ElicitDoctor;

/// <summary>How a <see cref="StateSealer"/> is made.</summary>
public sealed class StateSealerOptions
{
    private static readonly TimeSpan ShortestLifetime = TimeSpan.FromMilliseconds(1);

    private readonly TimeSpan _lifetime = TimeSpan.FromMinutes(10);

    /// <summary>
    /// The keys, <see cref="StateSealer.KeyLength"/> bytes each from a good random source, the same on every instance of
    /// the server. The first one seals and every one opens: to rotate, put the new one behind the old one everywhere, then
    /// before it, and take the old one out after a <see cref="Lifetime"/>. Without any, a random key of this process is
    /// used: then no other process, and not this one after a restart, can open what it sealed.
    /// </summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> Keys { get; init; } = [];

    /// <summary>How long a state is good, and so how long a person may think; 10 minutes unless set.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is shorter than a millisecond.</exception>
    public TimeSpan Lifetime
    {
        get => _lifetime;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, ShortestLifetime, nameof(Lifetime));
            _lifetime = value;
        }
    }

    /// <summary>Whose time counts; <see cref="TimeProvider.System"/> unless set. Times before 1970 count as 1970.</summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;
}
