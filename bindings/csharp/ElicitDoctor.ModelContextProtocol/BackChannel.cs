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

    /// <returns>The result as it came.</returns>
    /// <exception cref="McpProtocolException">The host answered with an error.</exception>
    public static async Task<byte[]> SendAsync(McpServer server, ReadOnlyMemory<byte> parameters, CancellationToken cancellationToken)
    {
        var message = new JsonRpcRequest { Method = RequestMethods.ElicitationCreate, Params = JsonNode.Parse(parameters.Span) };
        var response = await server.SendRequestAsync(message, cancellationToken).ConfigureAwait(false);
        return Verbatim.ToUtf8(writer => Verbatim.Write(writer, response.Result));
    }

    /// <summary>The message that the host sent.</summary>
    public static string MessageOf(McpProtocolException error) => error.Message.StartsWith(RemoteErrorPrefix, StringComparison.Ordinal)
        ? error.Message[RemoteErrorPrefix.Length..]
        : error.Message;
}
