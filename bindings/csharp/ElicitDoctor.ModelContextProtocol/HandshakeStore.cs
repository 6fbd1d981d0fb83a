using System.Runtime.CompilerServices;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Keeps the handshake of every session, seen by the message filters, for as long as the session lives.</summary>
/// <remarks>
/// The key is the SDK's <see cref="ClientCapabilities"/> object: the server object is a new one for every message, but this one
/// is the session's own (on 2026-07-28: the request's), and nothing else in reach is.
/// </remarks>
internal sealed class HandshakeStore(IOptions<ElicitDoctorOptions> options, ILoggerFactory? loggerFactory = null)
{
    private const string InitializeParamsKey = "ElicitDoctor.InitializeParams";
    private const string DiscoverKey = "ElicitDoctor.Discover";

    private readonly ConditionalWeakTable<ClientCapabilities, Handshake> _handshakes = [];
    private readonly ProbeMemory _probesOfOnlySession = new();
    private readonly ILogger _logger = Log.CreateLogger(loggerFactory);
    private byte[]? _discovered;

    /// <exception cref="InvalidOperationException">The server was built without <c>WithElicitDoctor</c>.</exception>
    public static HandshakeStore Of(McpServer server) =>
        server.Services?.GetService<HandshakeStore>() ?? throw new InvalidOperationException(
            "This MCP server does not know its clients' handshakes. Add .WithElicitDoctor() after AddMcpServer() where the server is built; a server made with McpServer.Create needs the services of that container too.");

    /// <summary>Looks at a message from the client, before the SDK does.</summary>
    public void Receive(MessageContext context)
    {
        if (context.JsonRpcMessage is not JsonRpcRequest request)
        {
            return;
        }

        if (request.Method == RequestMethods.Initialize)
        {
            var initializeParams = Verbatim.ToUtf8(writer => Verbatim.Write(writer, request.Params));
            context.Items[InitializeParamsKey] = initializeParams;
            request.Params = Verbatim.WithoutMalformedCapabilities(initializeParams, LogMalformed) ?? request.Params;
        }
        else if (request.Context?.ClientCapabilities is { } capabilities)
        {
            if (request.Method == RequestMethods.ServerDiscover && IsOnlySession(context))
            {
                context.Items[DiscoverKey] = true;
            }

            _handshakes.AddOrUpdate(capabilities, Handshake.PerRequest(request.Params?["_meta"], _discovered, IsStateless(request.Context)));
        }
    }

    /// <summary>Looks at a message to the client, before it is sent: whoever has the answer to <c>initialize</c> finds its handshake here.</summary>
    public void Send(MessageContext context)
    {
        if (context.JsonRpcMessage is not JsonRpcResponse response)
        {
            return;
        }

        if (context.Items.TryGetValue(InitializeParamsKey, out var request) && context.Server.ClientCapabilities is { } capabilities)
        {
            _handshakes.AddOrUpdate(capabilities, Handshake.Initialize((byte[])request!, response.Result));
        }
        else if (context.Items.ContainsKey(DiscoverKey))
        {
            _discovered = Verbatim.ToUtf8(writer => Verbatim.Write(writer, response.Result));
        }
    }

    /// <summary>The handshake that holds for a request.</summary>
    public Handshake Find(MessageContext context)
    {
        var message = context.JsonRpcMessage.Context;
        return (message?.ClientCapabilities ?? context.Server.ClientCapabilities) is { } capabilities
            ? Find(capabilities, context.Server)
            : Handshake.NotSeen(IsStateless(message));
    }

    /// <summary>The handshake that holds for the request of a server.</summary>
    /// <remarks>Before 2.4.0 the SDK does not tell the server of a request on stateless HTTP what the client can do.</remarks>
    public Handshake Find(McpServer server) =>
        server.ClientCapabilities is { } capabilities ? Find(capabilities, server)
        : Call.Find(server) is { } call ? Find(call.Context)
        : Handshake.NotSeen(isStateless: false);

    /// <summary>What the handshake of a request says on asking.</summary>
    public HandshakeConclusion Conclude(MessageContext context) => Find(context).Conclude(options.Value.HostOverrides);

    /// <summary>What the handshake of a server's request says on asking.</summary>
    public HandshakeConclusion Conclude(McpServer server) => Find(server).Conclude(options.Value.HostOverrides);

    /// <summary>What the probes of a request's session found.</summary>
    /// <remarks>On 2026-07-28 there are no sessions; there it is kept where the container serves one client only.</remarks>
    public ProbeMemory ProbesOf(MessageContext context) =>
        context.JsonRpcMessage.Context?.ClientCapabilities is not null && IsOnlySession(context) ? _probesOfOnlySession : Find(context).Probes;

    private void LogMalformed(JsonProperty capability) =>
        Log.MalformedCapability(_logger, capability.Name, capability.Value.GetRawText());

    private Handshake Find(ClientCapabilities capabilities, McpServer server) =>
        _handshakes.GetValue(capabilities, _ => Handshake.Rebuilt(capabilities, server));

    // A 2026-07-28 session has no identity. But a container with a transport in it (stdio, a stream pair) serves this session
    // alone, so what was discovered there belongs to it.
    private static bool IsOnlySession(MessageContext context) =>
        context.JsonRpcMessage.Context?.RelatedTransport is null && context.Server.Services?.GetService<ITransport>() is not null;

    private static bool IsStateless(JsonRpcMessageContext? message) => message?.RelatedTransport is { SessionId: null };
}
