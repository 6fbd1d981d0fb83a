using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.Extensions.DependencyInjection;
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

    private static readonly Task Never = new TaskCompletionSource().Task;

    // Before 2.4.0 the SDK lets the host go on asking when the wait for its answer was cancelled.
    private static readonly bool SdkTakesBack = typeof(McpServer).Assembly.GetName().Version >= new Version(2, 4);

    /// <returns>The result as it came.</returns>
    /// <exception cref="McpProtocolException">The host answered with an error.</exception>
    /// <exception cref="IOException">The host went away.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; the host was told to take the question back.</exception>
    public static async Task<byte[]> SendAsync(McpServer server, ReadOnlyMemory<byte> parameters, CancellationToken cancellationToken)
    {
        var message = new JsonRpcRequest { Method = RequestMethods.ElicitationCreate, Params = JsonNode.Parse(parameters.Span) };
        if (!SdkTakesBack)
        {
            message.Id = new($"elicit-doctor-{Guid.NewGuid():N}");
        }

        using var noLonger = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        try
        {
            var answer = server.SendRequestAsync(message, noLonger.Token);
            await Task.WhenAny(answer, HostGoneAsync(server)).ConfigureAwait(false);
            if (!answer.IsCompleted)
            {
                await noLonger.CancelAsync().ConfigureAwait(false);
            }

            var response = await answer.ConfigureAwait(false);
            return Verbatim.ToUtf8(writer => Verbatim.Write(writer, response.Result));
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new IOException("The host went away while the question was open.");
        }
        catch (OperationCanceledException) when (!SdkTakesBack)
        {
            // Not awaited: a host that does not read would hold up the time-out.
            _ = TakeBackAsync(server, message.Id);
            throw;
        }
    }

    // When the input of a stdio server ends, the SDK waits for its calls, and with them for an answer that cannot come any more.
    private static Task HostGoneAsync(McpServer server) =>
        server.Services?.GetService<ITransport>()?.MessageReader.Completion ?? Never;

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
        catch (Exception)
        {
            // Whoever cannot be told is gone, and asks nobody any more.
        }
    }

    /// <summary>The message that the host sent.</summary>
    public static string MessageOf(McpProtocolException error) => error.Message.StartsWith(RemoteErrorPrefix, StringComparison.Ordinal)
        ? error.Message[RemoteErrorPrefix.Length..]
        : error.Message;
}
