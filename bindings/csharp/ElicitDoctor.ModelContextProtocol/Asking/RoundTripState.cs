using System.Text.Json;
using System.Text.Json.Serialization;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What a call on 2026-07-28 carries through the client from one round to the next, sealed.</summary>
/// <param name="Round">How many rounds were asked so far.</param>
/// <param name="AskedAtMs">When the last round was asked, in milliseconds of Unix time.</param>
/// <param name="Answers">What was answered in earlier rounds, by key.</param>
/// <param name="Pending">What the last round asks, by key.</param>
internal sealed record RoundTripState(
    [property: JsonPropertyName("n")] int Round,
    [property: JsonPropertyName("t")] long AskedAtMs,
    [property: JsonPropertyName("a")] Dictionary<string, RoundTripState.Answer> Answers,
    [property: JsonPropertyName("p")] Dictionary<string, RoundTripState.Asked> Pending)
{
    /// <param name="Fingerprint">Which question stands under the key.</param>
    /// <param name="Url">The page that the user is shown.</param>
    internal sealed record Asked(
        [property: JsonPropertyName("f")] string Fingerprint,
        [property: JsonPropertyName("u"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Url);

    /// <param name="Question">What was asked.</param>
    /// <param name="Result">What the host answered, as it came.</param>
    /// <param name="LatencyMs">The time from the question to the answer; negative where the clocks of two instances disagree.</param>
    internal sealed record Answer(
        [property: JsonPropertyName("q")] Asked Question,
        [property: JsonPropertyName("r")] JsonElement Result,
        [property: JsonPropertyName("l")] long LatencyMs);
}

[JsonSerializable(typeof(RoundTripState))]
internal sealed partial class RoundTripStateContext : JsonSerializerContext;
