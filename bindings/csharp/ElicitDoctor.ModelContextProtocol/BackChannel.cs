using System.Text.Json;
using System.Text.Json.Nodes;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Sends <c>elicitation/create</c> while a call is open, past the SDK's own reading of it.</summary>
/// <remarks>
/// The SDK's <c>ElicitAsync</c> fills defaults into what was accepted and takes an answer without an action for a dismissal; both hide what
/// the host did.
/// </remarks>
internal static class BackChannel
{
    /// <summary>What the SDK puts before the message of a host's error.</summary>
    private const string RemoteErrorPrefix = "Request failed (remote): ";

    // Before 2.4.0 the SDK lets the host go on asking when the wait for its answer was cancelled.
    private static readonly bool SdkTakesBack = typeof(McpServer).Assembly.GetName().Version >= new Version(2, 4);

    /// <returns>The result as it came.</returns>
    /// <exception cref="McpProtocolException">The host answered with an error.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; the host was told to take the question back.</exception>
    public static async Task<byte[]> SendAsync(McpServer server, ReadOnlyMemory<byte> parameters, CancellationToken cancellationToken)
    {
        var message = new JsonRpcRequest { Method = RequestMethods.ElicitationCreate, Params = JsonNode.Parse(parameters.Span) };
        if (!SdkTakesBack)
        {
            message.Id = new($"elicit-doctor-{Guid.NewGuid():N}");
        }

        try
        {
            var response = await server.SendRequestAsync(message, cancellationToken).ConfigureAwait(false);
            return Verbatim.ToUtf8(writer => Verbatim.Write(writer, response.Result));
        }
        catch (OperationCanceledException) when (!SdkTakesBack && cancellationToken.IsCancellationRequested)
        {
            await TakeBackAsync(server, message.Id).ConfigureAwait(false);
            throw;
        }
    }

    private static async Task TakeBackAsync(McpServer server, RequestId request)
    {
        try
        {
            await server.SendMessageAsync(new JsonRpcNotification
            {
                Method = NotificationMethods.CancelledNotification,
                Params = JsonSerializer.SerializeToNode(new() { RequestId = request }, SdkJson.TypeInfo<CancelledNotificationParams>()),
            }).ConfigureAwait(false);
        }
        catch (Exception error) when (error is IOException or InvalidOperationException or ObjectDisposedException or OperationCanceledException)
        {
            // Whoever is gone asks nobody any more.
        }
    }

    /// <summary>The message that the host sent.</summary>
    public static string MessageOf(McpProtocolException error) => error.Message.StartsWith(RemoteErrorPrefix, StringComparison.Ordinal)
        ? error.Message[RemoteErrorPrefix.Length..]
        : error.Message;
}
