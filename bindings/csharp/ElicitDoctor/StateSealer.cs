using System.Security.Cryptography;
using System.Text;
using ElicitDoctor.Interop;

namespace ElicitDoctor;

/// <summary>
/// Seals state that travels through the client, so that a server that remembers nothing can trust what comes back.
/// </summary>
/// <remarks>
/// The client can read and keep a state, but not change it, use it after its time, or hand it in for another principal,
/// tool or arguments; put no secrets into it. It may hand in the same state twice. Revision 2026-07-28 calls
/// <c>requestState</c> controlled by the attacker. All members may be called from any thread at any time.
/// </remarks>
public sealed class StateSealer
{
    /// <summary>The length of a key in bytes.</summary>
    public const int KeyLength = StateTerms.KeyLength;

    private static readonly Lazy<byte[]> KeyOfTheProcess = new(() => RandomNumberGenerator.GetBytes(KeyLength));

    private readonly byte[] _keys;
    private readonly ulong _lifetimeMs;
    private readonly TimeProvider _timeProvider;

    /// <summary>Makes a sealer.</summary>
    /// <param name="options">Keys, lifetime and clock; null for the defaults. The keys are copied.</param>
    /// <exception cref="ArgumentException">A key is not <see cref="KeyLength"/> bytes long.</exception>
    public StateSealer(StateSealerOptions? options = null)
    {
        options ??= new StateSealerOptions();
        for (int i = 0; i < options.Keys.Count; i++)
        {
            if (options.Keys[i].Length != KeyLength)
            {
                throw new ArgumentException(
                    $"Key {i} has {options.Keys[i].Length} bytes instead of {KeyLength}; "
                    + $"make one with RandomNumberGenerator.GetBytes({KeyLength}).",
                    nameof(options));
            }
        }

        _keys = options.Keys.Count > 0 ? [.. options.Keys.SelectMany(key => key.ToArray())] : KeyOfTheProcess.Value;
        _lifetimeMs = options.Lifetime.ToWholeMilliseconds();
        _timeProvider = options.TimeProvider;
    }

    /// <summary>Seals a payload.</summary>
    /// <param name="binding">What the state belongs to.</param>
    /// <param name="payload">What to carry; any bytes, read during the call only.</param>
    /// <returns>The state: characters of base64url, so that it needs no escapes in JSON or a URL.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="binding"/> is null.</exception>
    /// <exception cref="ElicitDoctorException">The arguments are no JSON, or a text has no UTF-8 form.</exception>
    /// <exception cref="NativeLibraryException">The native library is missing or does not fit.</exception>
    public string Seal(StateBinding binding, ReadOnlySpan<byte> payload)
    {
        ArgumentNullException.ThrowIfNull(binding);
        using var principal = new Utf8Text(binding.Principal);
        using var tool = new Utf8Text(binding.Tool);
        return Encoding.UTF8.GetString(NativeState.Seal(Terms(binding, principal, tool), payload));
    }

    /// <summary>Opens a state that <see cref="Seal"/> made with the same binding and one of the same keys.</summary>
    /// <param name="binding">What the state must belong to.</param>
    /// <param name="state">What the client sent.</param>
    /// <returns>The payload.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="binding"/> or <paramref name="state"/> is null.</exception>
    /// <exception cref="ElicitDoctorException">
    /// The state is refused: <see cref="ElicitStatus.StateMalformed"/>, <see cref="ElicitStatus.StateForged"/>,
    /// <see cref="ElicitStatus.StateExpired"/>, <see cref="ElicitStatus.StateForeign"/> or
    /// <see cref="ElicitStatus.StateOtherArguments"/>. Or the arguments are no JSON, or a text has no UTF-8 form.
    /// </exception>
    /// <exception cref="NativeLibraryException">The native library is missing or does not fit.</exception>
    public byte[] Open(StateBinding binding, string state)
    {
        ArgumentNullException.ThrowIfNull(binding);
        ArgumentNullException.ThrowIfNull(state);
        using var principal = new Utf8Text(binding.Principal);
        using var tool = new Utf8Text(binding.Tool);
        using var utf8 = new Utf8Text(state);
        return NativeState.Open(Terms(binding, principal, tool), utf8.Bytes);
    }

    internal StateTerms Terms(StateBinding binding, in Utf8Text principal, in Utf8Text tool) => new()
    {
        Keys = _keys,
        Principal = principal.Bytes,
        Tool = tool.Bytes,
        Arguments = binding.Arguments.Span,
        LifetimeMs = _lifetimeMs,
        // 0 would be the system's clock.
        NowMs = (ulong)Math.Max(1, _timeProvider.GetUtcNow().ToUnixTimeMilliseconds()),
    };
}
