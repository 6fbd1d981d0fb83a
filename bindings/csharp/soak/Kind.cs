using System.Buffers;
using System.Text.Json;

namespace ElicitDoctor.Soak;

/// <summary>A kind of host, and how a probe of it must end.</summary>
internal sealed class Kind
{
    internal const string Cancelled = "a cancellation";

    private static readonly ReadOnlyMemory<byte> Accept = """{"action":"accept","content":{"value":"ok"}}"""u8.ToArray();
    private static readonly ReadOnlyMemory<byte> Decline = """{"action":"decline"}"""u8.ToArray();
    private static readonly ReadOnlyMemory<byte> Garbage = new byte[] { 0xFF, (byte)'{', 0 };
    private static readonly ProbeOptions Patient = new() { Timeout = TimeSpan.FromDays(1) };
    private static readonly ProbeOptions Impatient = new() { Timeout = TimeSpan.FromMilliseconds(2) };
    private static readonly ProbeOptions Visit = new()
    {
        Mode = ElicitationMode.Url,
        Url = new Uri("https://example.com/visit"),
        Timeout = TimeSpan.FromDays(1),
    };

    internal static readonly Kind AnswersAtOnce = new("answers at once", "accept", _ => (_, _) => new(Accept));

    internal static readonly Kind NeverAnswers = new(
        "never answers", "timeout", _ => (_, _) => new(new TaskCompletionSource<ReadOnlyMemory<byte>>().Task))
    {
        Options = Impatient,
    };

    internal static readonly IReadOnlyList<Kind> All =
    [
        AnswersAtOnce,
        NeverAnswers,
        new("answers on another thread", "accept", _ => async (_, _) =>
        {
            await Task.Yield();
            return Accept;
        }),
        new("declines a visit", "decline", _ => (_, _) => new(Decline)) { Options = Visit },
        new("answers when it is too late", "timeout", _ => async (_, token) =>
        {
            await UntilCancelledAsync(token);
            return Accept;
        })
        { Options = Impatient },
        new("heeds its token", "timeout", _ => async (_, token) =>
        {
            await Task.Delay(Timeout.Infinite, token);
            return Accept;
        })
        { Options = Impatient },
        new("throws in a callback of its token", "timeout", _ => (_, token) =>
        {
            token.Register(() => throw new InvalidOperationException("thrown by a callback of the token"));
            return new(new TaskCompletionSource<ReadOnlyMemory<byte>>().Task);
        })
        { Options = Impatient },
        new("throws at once", "error", _ => (_, _) => throw new InvalidOperationException("thrown by the host")),
        new("throws on another thread", "error", _ => async (_, _) =>
        {
            await Task.Yield();
            throw new ProbeHostException("Method not found", -32601);
        }),
        new("says that it timed out", "timeout", _ => (_, _) => throw new TimeoutException("thrown by the host")),
        new("answers garbage", "error", _ => (_, _) => new(Garbage)),
        new("is cancelled when it is asked", Cancelled, source => (_, _) =>
        {
            source!.Cancel();
            return new(new TaskCompletionSource<ReadOnlyMemory<byte>>().Task);
        })
        { IsCancelled = true },
        new("is cancelled later, and answers then", Cancelled, source => async (_, token) =>
        {
            await Task.Yield();
            source!.Cancel();
            await UntilCancelledAsync(token);
            return Accept;
        })
        { IsCancelled = true },
        new("did not declare elicitation", "not attempted", _ => (_, _) => throw new InvalidOperationException("asked"))
        {
            IsSilent = true,
        },
    ];

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? _json;

    private Kind(string name, string expected, Func<CancellationTokenSource?, ProbeHost> host)
    {
        Name = name;
        Expected = expected;
        Host = host;
    }

    internal string Name { get; }

    /// <summary>What <see cref="WhatTheReportSays"/> gives, or <see cref="Cancelled"/>.</summary>
    internal string Expected { get; }

    /// <summary>Makes a host; it gets the source of its caller's token.</summary>
    internal Func<CancellationTokenSource?, ProbeHost> Host { get; }

    internal ProbeOptions Options { get; private init; } = Patient;

    /// <summary>Whether the caller's token will be cancelled.</summary>
    internal bool IsCancelled { get; private init; }

    /// <summary>Whether the host declared no elicitation.</summary>
    internal bool IsSilent { get; private init; }

    internal string WhatTheReportSays(DoctorReport report)
    {
        ArrayBufferWriter<byte> json = _json ??= new ArrayBufferWriter<byte>(4096);
        json.ResetWrittenCount();
        report.WriteTo(json);
        using JsonDocument document = JsonDocument.Parse(json.WrittenMemory);
        JsonElement probe = document.RootElement.GetProperty("probes")
            .GetProperty(Options.Mode == ElicitationMode.Url ? "elicitationUrl" : "elicitationForm");
        return probe.TryGetProperty("action", out JsonElement action) ? action.GetString()! : "not attempted";
    }

    private static async Task UntilCancelledAsync(CancellationToken token)
    {
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using (token.UnsafeRegister(static source => ((TaskCompletionSource)source!).SetResult(), cancelled))
        {
            await cancelled.Task;
        }
    }
}
