using System.Text;
using System.Text.Json;
using ElicitDoctor.TestSupport;
using Xunit;

namespace ElicitDoctor.Tests;

/// <summary>The tests that probe count what is open in the process, so they run one after another.</summary>
[CollectionDefinition(nameof(Probes))]
public class ProbesCollection;

internal static class Probes
{
    internal const string Accept = """{"action":"accept","content":{"value":"ok"}}""";

    /// <summary>Short enough to wait for, and nothing is asserted on how long it takes.</summary>
    internal static readonly ProbeOptions Impatient = new() { Timeout = TimeSpan.FromMilliseconds(20) };

    /// <summary>Never comes by itself: a test with it ends by what it tests, or not at all.</summary>
    internal static readonly ProbeOptions Patient = new() { Timeout = TimeSpan.FromDays(1) };

    internal static ReadOnlyMemory<byte> Utf8(string text) => Encoding.UTF8.GetBytes(text);

    internal static ProbeHost Answers(string answer) => (_, _) => ValueTask.FromResult(Utf8(answer));

    internal static ProbeHost Throws(Exception exception) =>
        (_, _) => ValueTask.FromException<ReadOnlyMemory<byte>>(exception);

    internal static ValueTask<ReadOnlyMemory<byte>> NeverAnswers(ReadOnlyMemory<byte> request, CancellationToken token) =>
        new(new TaskCompletionSource<ReadOnlyMemory<byte>>().Task);

    /// <summary>The outcome that stands in a report, which is checked against the schema.</summary>
    internal static JsonElement Outcome(DoctorReport report, string probe = "elicitationForm")
    {
        string json = report.ToJson();
        ReportSchema.AssertValid(json);
        return JsonElement.Parse(json).GetProperty("probes").GetProperty(probe);
    }

    internal static string? Text(this JsonElement outcome, string key) =>
        outcome.TryGetProperty(key, out JsonElement value) ? value.GetString() : null;

    /// <summary>Probes a host that declared form and URL, on an engine of its own.</summary>
    internal static async Task<JsonElement> OutcomeOfAsync(ProbeHost host, ProbeOptions? options = null)
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        await using var engine = new ProbeEngine();
        using DoctorReport probed = await engine.ProbeAsync(
            report, host, options ?? Patient, TestContext.Current.CancellationToken);
        return Outcome(probed, options?.Mode == ElicitationMode.Url ? "elicitationUrl" : "elicitationForm");
    }
}

/// <summary>A host that answers when it is told to.</summary>
internal sealed class HeldHost
{
    private readonly TaskCompletionSource<ReadOnlyMemory<byte>> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<CancellationToken> _asked = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _cancelled = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes with the token of the question when that was put.</summary>
    internal Task<CancellationToken> Asked => _asked.Task;

    internal Task Cancelled => _cancelled.Task;

    internal ValueTask<ReadOnlyMemory<byte>> AskAsync(ReadOnlyMemory<byte> request, CancellationToken token)
    {
        token.Register(_cancelled.SetResult);
        _asked.SetResult(token);
        return new ValueTask<ReadOnlyMemory<byte>>(_answer.Task);
    }

    internal void Answer(string answer) => _answer.SetResult(Probes.Utf8(answer));

    internal void Throw(Exception exception) => _answer.SetException(exception);
}
