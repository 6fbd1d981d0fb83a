using System.Diagnostics.CodeAnalysis;
using System.Threading.Channels;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;

namespace TryHosts;

/// <summary>A client transport that lets a host say and hear other things than the SDK's client would.</summary>
/// <param name="inner">The transport to the server.</param>
/// <param name="onSend">Sees, and may change, what the client sends.</param>
/// <param name="hears">Whether the client gets a message of the server.</param>
internal sealed class HostTransport(IClientTransport inner, Action<JsonRpcMessage> onSend, Func<JsonRpcMessage, bool> hears) : IClientTransport
{
    public string Name => inner.Name;

    public async Task<ITransport> ConnectAsync(CancellationToken cancellationToken = default) =>
        new Connection(await inner.ConnectAsync(cancellationToken), onSend, hears);

    private sealed class Connection(ITransport inner, Action<JsonRpcMessage> onSend, Func<JsonRpcMessage, bool> hears) : ITransport
    {
        public string? SessionId => inner.SessionId;

        public ChannelReader<JsonRpcMessage> MessageReader { get; } = new Reader(inner.MessageReader, hears);

        public Task SendMessageAsync(JsonRpcMessage message, CancellationToken cancellationToken = default)
        {
            onSend(message);
            return inner.SendMessageAsync(message, cancellationToken);
        }

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }

    private sealed class Reader(ChannelReader<JsonRpcMessage> inner, Func<JsonRpcMessage, bool> hears) : ChannelReader<JsonRpcMessage>
    {
        public override Task Completion => inner.Completion;

        public override bool TryRead([MaybeNullWhen(false)] out JsonRpcMessage item)
        {
            while (inner.TryRead(out item))
            {
                if (hears(item))
                {
                    return true;
                }
            }

            return false;
        }

        public override ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default) => inner.WaitToReadAsync(cancellationToken);
    }
}
