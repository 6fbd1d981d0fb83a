using System.Threading.Channels;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;

namespace TryHosts;

/// <summary>A client transport that changes the messages which the client sends.</summary>
internal sealed class RewritingClientTransport(IClientTransport inner, Action<JsonRpcMessage> rewrite) : IClientTransport
{
    public string Name => inner.Name;

    public async Task<ITransport> ConnectAsync(CancellationToken cancellationToken = default) =>
        new Connection(await inner.ConnectAsync(cancellationToken), rewrite);

    private sealed class Connection(ITransport inner, Action<JsonRpcMessage> rewrite) : ITransport
    {
        public string? SessionId => inner.SessionId;

        public ChannelReader<JsonRpcMessage> MessageReader => inner.MessageReader;

        public Task SendMessageAsync(JsonRpcMessage message, CancellationToken cancellationToken = default)
        {
            rewrite(message);
            return inner.SendMessageAsync(message, cancellationToken);
        }

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }
}
