using Microsoft.Extensions.Options;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Seals the states of this server with its keys.</summary>
internal sealed class StateSealers
{
    private readonly ReadOnlyMemory<byte>[] _keys;
    private readonly TimeProvider _timeProvider;
    private readonly StateSealer _opener;

    /// <exception cref="ArgumentException">A key of the options has a wrong length.</exception>
    public StateSealers(IOptions<ElicitDoctorOptions> options, TimeProvider? timeProvider = null)
    {
        _keys = [.. options.Value.StateKeys.Select(key => new ReadOnlyMemory<byte>(key))];
        _timeProvider = timeProvider ?? TimeProvider.System;
        _opener = Lasting(options.Value.StateLifetime);
    }

    public StateSealer Lasting(TimeSpan lifetime) => new(new() { Keys = _keys, Lifetime = lifetime, TimeProvider = _timeProvider });

    /// <inheritdoc cref="StateSealer.Open"/>
    public byte[] Open(StateBinding binding, string state) => _opener.Open(binding, state);
}
