using System.Security.Cryptography;
using System.Text;
using Xunit;

namespace ElicitDoctor.Tests;

public class StateSealerTests
{
    private static readonly StateBinding Binding = new()
    {
        Principal = "alice",
        Tool = "book_table",
        Arguments = Encoding.UTF8.GetBytes("""{"people": 2, "when": "noon"}"""),
    };

    private readonly byte[] _key = RandomNumberGenerator.GetBytes(StateSealer.KeyLength);
    private readonly SetTime _time = new();

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(100_000)]
    public void What_is_sealed_is_what_is_opened(int length)
    {
        byte[] payload = RandomNumberGenerator.GetBytes(length);
        StateSealer sealer = Sealer(_key);

        string state = sealer.Seal(Binding, payload);

        Assert.Equal(payload, sealer.Open(Binding, state));
        Assert.All(state, character => Assert.True(char.IsAsciiLetterOrDigit(character) || character is '-' or '_', state));
    }

    [Fact]
    public void Another_instance_with_the_same_key_opens_it()
    {
        string state = Sealer(_key).Seal(Binding, "asked"u8);

        Assert.Equal("asked"u8, Sealer(_key).Open(Binding, state));
    }

    [Fact]
    public void Arguments_that_mean_the_same_open_it()
    {
        StateSealer sealer = Sealer(_key);
        string state = sealer.Seal(Binding, "asked"u8);

        Assert.Equal("asked"u8, sealer.Open(With(arguments: """{"when":"n\u006fon","people":2}"""), state));
    }

    [Fact]
    public void A_state_for_another_principal_or_tool_is_foreign()
    {
        StateSealer sealer = Sealer(_key);
        string state = sealer.Seal(Binding, "asked"u8);

        AssertRefused(ElicitStatus.StateForeign, "another principal or another tool", sealer, With(principal: "mallory"), state);
        AssertRefused(ElicitStatus.StateForeign, "another principal or another tool", sealer, With(tool: "pay"), state);
    }

    [Theory]
    [InlineData("""{"people": 20, "when": "noon"}""")]
    [InlineData("{}")]
    [InlineData("")]
    public void A_state_for_other_arguments_is_refused(string arguments)
    {
        StateSealer sealer = Sealer(_key);
        string state = sealer.Seal(Binding, "asked"u8);

        AssertRefused(ElicitStatus.StateOtherArguments, "other arguments", sealer, With(arguments: arguments), state);
    }

    [Fact]
    public void Every_changed_character_is_noticed()
    {
        StateSealer sealer = Sealer(_key);
        string state = sealer.Seal(Binding, "asked"u8);

        for (int i = 0; i < state.Length; i++)
        {
            string changed = $"{state[..i]}{(state[i] == 'A' ? 'B' : 'A')}{state[(i + 1)..]}";
            var exception = Assert.Throws<ElicitDoctorException>(() => sealer.Open(Binding, changed));
            Assert.True(
                exception.Status is ElicitStatus.StateForged or ElicitStatus.StateMalformed,
                $"character {i}: {exception.Status}: {exception.Message}");
        }
    }

    [Fact]
    public void Every_truncation_is_noticed()
    {
        StateSealer sealer = Sealer(_key);
        string state = sealer.Seal(Binding, "asked"u8);

        for (int length = 0; length < state.Length; length++)
        {
            AssertRefused(ElicitStatus.StateMalformed, "truncated", sealer, Binding, state[..length]);
        }
    }

    [Theory]
    [InlineData("ümläut")]
    [InlineData("not base64!")]
    [InlineData("AAAA")]
    public void What_is_no_state_is_refused(string state)
    {
        AssertRefused(ElicitStatus.StateMalformed, "none that this library made", Sealer(_key), Binding, state);
    }

    [Fact]
    public void A_state_of_another_key_is_forged()
    {
        string state = Sealer(RandomNumberGenerator.GetBytes(StateSealer.KeyLength)).Seal(Binding, "asked"u8);

        AssertRefused(ElicitStatus.StateForged, "the same key", Sealer(_key), Binding, state);
    }

    [Fact]
    public void A_state_expires_at_the_end_of_its_lifetime()
    {
        var lifetime = TimeSpan.FromMinutes(1);
        var sealer = new StateSealer(new StateSealerOptions { Keys = [_key], Lifetime = lifetime, TimeProvider = _time });
        string state = sealer.Seal(Binding, "asked"u8);

        _time.Now += lifetime - TimeSpan.FromMilliseconds(1);
        Assert.Equal("asked"u8, sealer.Open(Binding, state));

        _time.Now += TimeSpan.FromMilliseconds(1);
        AssertRefused(ElicitStatus.StateExpired, "expired", sealer, Binding, state);
    }

    [Fact]
    public void A_state_is_good_for_ten_minutes_unless_told_otherwise()
    {
        StateSealer sealer = Sealer(_key);
        string state = sealer.Seal(Binding, "asked"u8);

        _time.Now += TimeSpan.FromMinutes(10) - TimeSpan.FromMilliseconds(1);
        Assert.Equal("asked"u8, sealer.Open(Binding, state));

        _time.Now += TimeSpan.FromMilliseconds(1);
        AssertRefused(ElicitStatus.StateExpired, "expired", sealer, Binding, state);
    }

    [Fact]
    public void The_longest_lifetime_is_one()
    {
        var sealer = new StateSealer(new StateSealerOptions { Keys = [_key], Lifetime = TimeSpan.MaxValue });

        Assert.Equal("asked"u8, sealer.Open(Binding, sealer.Seal(Binding, "asked"u8)));
    }

    [Fact]
    public void A_clock_before_1970_is_not_taken_for_the_systems()
    {
        _time.Now = DateTimeOffset.MinValue;
        StateSealer sealer = Sealer(_key);
        string state = sealer.Seal(Binding, "asked"u8);

        Assert.Equal("asked"u8, sealer.Open(Binding, state));
        _time.Now = DateTimeOffset.UnixEpoch + TimeSpan.FromHours(1);
        AssertRefused(ElicitStatus.StateExpired, "expired", sealer, Binding, state);
    }

    [Fact]
    public void A_key_is_rotated_without_losing_a_state()
    {
        byte[] next = RandomNumberGenerator.GetBytes(StateSealer.KeyLength);
        StateSealer before = Sealer(_key), announced = Sealer(_key, next), used = Sealer(next, _key), after = Sealer(next);
        string oldState = before.Seal(Binding, "old"u8);
        string newState = used.Seal(Binding, "new"u8);

        Assert.Equal("old"u8, announced.Open(Binding, oldState));
        Assert.Equal("old"u8, used.Open(Binding, oldState));
        Assert.Equal("new"u8, announced.Open(Binding, newState));
        Assert.Equal("new"u8, after.Open(Binding, newState));
        AssertRefused(ElicitStatus.StateForged, "another key", after, Binding, oldState);
        AssertRefused(ElicitStatus.StateForged, "another key", before, Binding, newState);
    }

    [Fact]
    public void Without_a_key_the_sealers_of_a_process_have_one_in_common()
    {
        string state = new StateSealer().Seal(Binding, "asked"u8);

        Assert.Equal("asked"u8, new StateSealer(new StateSealerOptions()).Open(Binding, state));
        AssertRefused(ElicitStatus.StateForged, "another key", new StateSealer(new StateSealerOptions { Keys = [_key] }), Binding, state);
    }

    [Fact]
    public void The_keys_are_copied()
    {
        byte[] key = [.. _key];
        var sealer = new StateSealer(new StateSealerOptions { Keys = [key] });

        CryptographicOperations.ZeroMemory(key);

        Assert.Equal("asked"u8, new StateSealer(new StateSealerOptions { Keys = [_key] }).Open(Binding, sealer.Seal(Binding, "asked"u8)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(31)]
    [InlineData(33)]
    public void A_key_of_another_length_is_refused(int length)
    {
        var exception = Assert.Throws<ArgumentException>(() => Sealer(_key, new byte[length]));

        Assert.Contains($"Key 1 has {length} bytes instead of 32", exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Arguments_that_are_no_JSON_are_refused()
    {
        StateSealer sealer = Sealer(_key);
        string state = sealer.Seal(Binding, "asked"u8);
        StateBinding broken = With(arguments: "{nope");

        var sealing = Assert.Throws<ElicitDoctorException>(() => sealer.Seal(broken, "asked"u8));
        Assert.Equal(ElicitStatus.InvalidJson, sealing.Status);
        AssertRefused(ElicitStatus.InvalidJson, "the arguments of the call", sealer, broken, state);
    }

    [Fact]
    public void What_is_no_text_is_refused()
    {
        StateSealer sealer = Sealer(_key);

        var principal = Assert.Throws<ElicitDoctorException>(() => sealer.Seal(With(principal: "\ud800"), "asked"u8));
        var state = Assert.Throws<ElicitDoctorException>(() => sealer.Open(Binding, "\ud800"));

        Assert.Equal((ElicitStatus.InvalidUtf8, ElicitStatus.InvalidUtf8), (principal.Status, state.Status));
    }

    [Fact]
    public void Null_and_no_lifetime_are_refused()
    {
        StateSealer sealer = Sealer(_key);

        Assert.Throws<ArgumentNullException>(() => sealer.Seal(null!, "asked"u8));
        Assert.Throws<ArgumentNullException>(() => sealer.Open(null!, "state"));
        Assert.Throws<ArgumentNullException>(() => sealer.Open(Binding, null!));
        Assert.Throws<ArgumentOutOfRangeException>(() => new StateSealerOptions { Lifetime = TimeSpan.Zero });
    }

    private static StateBinding With(string? principal = null, string? tool = null, string? arguments = null) => new()
    {
        Principal = principal ?? Binding.Principal,
        Tool = tool ?? Binding.Tool,
        Arguments = arguments is null ? Binding.Arguments : Encoding.UTF8.GetBytes(arguments),
    };

    private static void AssertRefused(ElicitStatus status, string named, StateSealer sealer, StateBinding binding, string state)
    {
        var exception = Assert.Throws<ElicitDoctorException>(() => sealer.Open(binding, state));

        Assert.True(exception.Status == status, $"expected {status}, got {exception.Status}: {exception.Message}");
        Assert.Contains(named, exception.Message, StringComparison.Ordinal);
    }

    private StateSealer Sealer(params byte[][] keys) =>
        new(new StateSealerOptions { Keys = [.. keys.Select(key => (ReadOnlyMemory<byte>)key)], TimeProvider = _time });
}

/// <summary>A clock that stands still until it is set.</summary>
internal sealed class SetTime : TimeProvider
{
    internal DateTimeOffset Now { get; set; } = new(2026, 8, 1, 12, 0, 0, TimeSpan.Zero);

    public override DateTimeOffset GetUtcNow() => Now;
}
