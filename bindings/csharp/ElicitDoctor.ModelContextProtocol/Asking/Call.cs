using System.Text.Json;
using System.Text.Json.Nodes;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>One request of a client, during which the tool (or prompt, or resource) asks its questions.</summary>
/// <remarks>
/// It lives in the request's items, which the filters and the tool share, and flows along with the tool's code, so that a question finds
/// it from the <see cref="McpServer"/> too.
/// </remarks>
internal sealed class Call : IDisposable
{
    private const string ItemsKey = "ElicitDoctor.Call";

    private static readonly AsyncLocal<Flow?> Running = new();

    private readonly object _lock = new();
    private readonly HashSet<string> _keys = [];
    private int _ordered;
    private CancellationTokenSource? _end;
    private Flow? _flow;
    private bool _hasEnded;
    private Exception? _endReason;
    private Rounds? _rounds;

    private Call(MessageContext context, JsonRpcRequest request)
    {
        Context = context;
        Request = request;
    }

    public MessageContext Context { get; }

    public JsonRpcRequest Request { get; }

    /// <summary>Cancelled when the client cancels the call, and when the call is over.</summary>
    public CancellationToken Ended { get; private set; }

    /// <summary>A host shows one question at a time, so the others of the call wait for their turn.</summary>
    public SemaphoreSlim Turn { get; } = new(1, 1);

    /// <summary>Whether the call must end, by a question or by a reason that was given, whatever its code makes of the exception.</summary>
    public bool MustEnd => _endReason is not null || _rounds?.Asks == true;

    /// <summary>Tells the host of the wait; made by the first question, because the numbers have to grow over all of them.</summary>
    public WaitingProgress? Progress { get; set; }

    /// <summary>The name of the tool or prompt, or the URI of the resource.</summary>
    public string Name => (Request.Params?["name"] ?? Request.Params?["uri"]) is JsonValue name && name.TryGetValue(out string? text) ? text : "";

    public bool IsToolCall => Request.Method == RequestMethods.ToolsCall;

    /// <summary>Whether the protocol lets this kind of request be answered with questions.</summary>
    public bool CanRequireInput => Request.Method is RequestMethods.ToolsCall or RequestMethods.PromptsGet or RequestMethods.ResourcesRead;

    public static Call Of(MessageContext context)
    {
        if (context.Items.TryGetValue(ItemsKey, out var known))
        {
            return (Call)known!;
        }

        var call = new Call(context, context.JsonRpcMessage as JsonRpcRequest
            ?? throw new ArgumentException("A question belongs to a request of the client, and this message is none.", nameof(context)));
        context.Items[ItemsKey] = call;
        return call;
    }

    /// <exception cref="InvalidOperationException">No request of this server's client runs here.</exception>
    public static Call Of(McpServer server) => Find(server) ?? throw new InvalidOperationException(
        "A question belongs to a request of the client. Ask within a tool, a prompt or a resource, or give the request's context instead of the server.");

    /// <summary>The request of this server's client that runs here; null where none does.</summary>
    public static Call? Find(McpServer server) =>
        Running.Value?.Call is { } call
        && call.Context.Server.SessionId == server.SessionId
        && ReferenceEquals(call.Context.Server.ClientCapabilities, server.ClientCapabilities)
            ? call
            : null;

    /// <summary>From here on until it is disposed, code that runs for the request finds it.</summary>
    public static Call Begin(MessageContext context, CancellationToken cancellationToken)
    {
        // The SDK runs a tool again for the same message where it asks an older host in its own way.
        if (context.Items.TryGetValue(ItemsKey, out var known) && ((Call)known!)._hasEnded)
        {
            context.Items.Remove(ItemsKey);
        }

        var call = Of(context);
        call._end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        call.Ended = call._end.Token;
        Running.Value = call._flow = new() { Call = call };
        return call;
    }

    /// <summary>The key of a question: its own, or the next one by order.</summary>
    /// <exception cref="ElicitationRequestException">The key stands for another question of this call already.</exception>
    /// <exception cref="InvalidOperationException">The call is over.</exception>
    public string Claim(string? key)
    {
        lock (_lock)
        {
            if (_hasEnded)
            {
                throw new InvalidOperationException("The question comes after the end of its call, where nobody can answer it. Await every question within the tool.");
            }

            key ??= $"q{++_ordered}";
            if (!_keys.Add(key))
            {
                throw new ElicitationRequestException($"The key \"{key}\" stands for two questions of this call, and one answer would count for both; give each its own ElicitOptions.Key.");
            }

            return key;
        }
    }

    /// <summary>The rounds of this call, read from its state on the first question.</summary>
    public Rounds OpenRounds(Func<Call, Rounds> open)
    {
        lock (_lock)
        {
            return _rounds ??= open(this);
        }
    }

    /// <summary>Makes the call end with this exception, and gives it to be thrown.</summary>
    public Exception End(Exception reason) => _endReason ??= reason;

    /// <summary>What ends a call that must end: the given reason, or all questions of this round.</summary>
    public Exception EndReason() => _endReason ?? _rounds!.InputRequired();

    public ProgressToken? ProgressToken
    {
        get
        {
            try
            {
                return Request.Params?["_meta"]?["progressToken"] is JsonValue token ? token.Deserialize(SdkJson.TypeInfo<ProgressToken>()) : null;
            }
            catch (Exception error) when (error is JsonException or ArgumentException)
            {
                // What is no token, or is there twice, asks for no progress; the SDK does not mind it either.
                return null;
            }
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _hasEnded = true;
        }

        _flow?.Call = null;
        _end?.Cancel();
        _end?.Dispose();
    }

    /// <summary>What flows along: code that outlives the call holds this, and not the call.</summary>
    private sealed class Flow
    {
        public Call? Call { get; set; }
    }
}
