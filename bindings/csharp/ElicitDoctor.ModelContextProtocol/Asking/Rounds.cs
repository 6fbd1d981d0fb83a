using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Nodes;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>The questions of a call on 2026-07-28: what earlier rounds brought, and what this one asks.</summary>
/// <remarks>The tool's code runs from its beginning in every round. All members may be called from several threads.</remarks>
internal sealed class Rounds
{
    /// <summary>How often the C# SDK's client repeats a call.</summary>
    public const int Most = 10;

    private readonly object _lock = new();
    private readonly Dictionary<string, RoundTripState.Answer> _answers;
    private readonly Dictionary<string, RoundTripState.Asked> _pending = [];
    private readonly JsonObject _requests = [];
    private readonly StateSealers _sealers;
    private readonly StateBinding _binding;
    private readonly TimeProvider _timeProvider;
    private readonly int _round;
    private TimeSpan _lifetime;

    private Rounds(StateSealers sealers, StateBinding binding, TimeProvider timeProvider, RoundTripState? state, JsonNode? responses)
    {
        _sealers = sealers;
        _binding = binding;
        _timeProvider = timeProvider;
        _answers = state?.Answers ?? [];
        _round = state?.Round ?? 0;
        if (state is null || responses is null)
        {
            return;
        }

        // What was not asked, or comes without the state that says so, or says nothing that could be one, is no answer.
        var given = JsonElement.Parse(Verbatim.ToUtf8(writer => Verbatim.Write(writer, responses)));
        foreach (var (key, asked) in state.Pending)
        {
            if (Verbatim.Find(given, [key]) is { } response && Verbatim.Find(response, ["action"]) is { ValueKind: JsonValueKind.String })
            {
                _answers[key] = new(asked, response, NowMs - state.AskedAtMs);
            }
        }
    }

    /// <summary>Whether this round has asked something.</summary>
    public bool Asks
    {
        get
        {
            lock (_lock)
            {
                return _pending.Count > 0;
            }
        }
    }

    public bool WereAllAsked => _round >= Most;

    private long NowMs => _timeProvider.GetUtcNow().ToUnixTimeMilliseconds();

    /// <exception cref="ElicitDoctorException">The state of the call is refused.</exception>
    public static Rounds Open(Call call, StateSealers sealers, TimeProvider timeProvider)
    {
        // With the method in front it is the state of a question, and never that of a probe or of the author's own sealer.
        var binding = CallBinding.Of(call.Context, $"{call.Request.Method} {call.Name}");
        var state = call.Request.Params?["requestState"] is JsonValue sealedState && sealedState.TryGetValue(out string? text)
            ? JsonSerializer.Deserialize(sealers.Open(binding, text), RoundTripStateContext.Default.RoundTripState)
            : null;
        return new(sealers, binding, timeProvider, state, call.Request.Params?["inputResponses"]);
    }

    /// <summary>The answer to a question, if it was asked under this key and nothing about it changed since.</summary>
    public bool TryGetAnswer(string key, string fingerprint, [NotNullWhen(true)] out RoundTripState.Answer? answer)
    {
        lock (_lock)
        {
            return _answers.TryGetValue(key, out answer) && answer.Question.Fingerprint == fingerprint;
        }
    }

    /// <summary>Adds a question to this round.</summary>
    public void Ask(string key, RoundTripState.Asked question, byte[] parameters, TimeSpan lifetime)
    {
        lock (_lock)
        {
            _pending.Add(key, question);
            _requests.Add(key, new JsonObject { ["method"] = RequestMethods.ElicitationCreate, ["params"] = JsonNode.Parse(parameters) });
            _lifetime = lifetime > _lifetime ? lifetime : _lifetime;
        }
    }

    /// <summary>The result with which to answer the call: all questions of this round, and the answers so far.</summary>
    public InputRequiredException InputRequired()
    {
        lock (_lock)
        {
            var state = new RoundTripState(_round + 1, NowMs, _answers, _pending);
            var result = new JsonObject
            {
                ["resultType"] = "input_required",
                ["inputRequests"] = _requests.DeepClone(),
                ["requestState"] = _sealers.Lasting(_lifetime).Seal(_binding, JsonSerializer.SerializeToUtf8Bytes(state, RoundTripStateContext.Default.RoundTripState)),
            };
            return new(result.Deserialize(SdkJson.TypeInfo<InputRequiredResult>())!);
        }
    }
}
