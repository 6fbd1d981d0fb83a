namespace ElicitDoctor;

/// <summary>How a <see cref="ProbeEngine"/> is made.</summary>
public sealed class ProbeEngineOptions
{
    private readonly int _maxOpenProbes = 100_000;

    /// <summary>How many probes may be open at a time; 100,000 unless set. One takes less than 2 KiB of memory.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is below 1.</exception>
    public int MaxOpenProbes
    {
        get => _maxOpenProbes;
        init
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1, nameof(MaxOpenProbes));
            _maxOpenProbes = value;
        }
    }
}
