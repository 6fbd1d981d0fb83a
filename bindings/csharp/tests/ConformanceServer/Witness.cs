using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ConformanceServer;

/// <summary>What the server was asked and what it answered: some scenarios pass where nothing was called.</summary>
internal sealed class Witness
{
    private readonly ConcurrentQueue<JsonRpcMessage> _messages = [];

    public void Listen(IMcpMessageFilterBuilder filters) => filters
        .AddIncomingFilter(next => (context, cancellationToken) =>
        {
            if (context.JsonRpcMessage is JsonRpcRequest)
            {
                _messages.Enqueue(context.JsonRpcMessage);
            }

            return next(context, cancellationToken);
        })
        .AddOutgoingFilter(next => (context, cancellationToken) =>
        {
            // Before it is sent, so that whoever got an answer finds it here.
            if (context.JsonRpcMessage is JsonRpcResponse or JsonRpcError)
            {
                _messages.Enqueue(context.JsonRpcMessage);
            }

            return next(context, cancellationToken);
        });

    /// <summary>The messages since the last call, in order.</summary>
    public IEnumerable<JsonRpcMessage> TakeAll()
    {
        while (_messages.TryDequeue(out var message))
        {
            yield return message;
        }
    }
}
