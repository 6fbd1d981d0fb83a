using System.Text;
using System.Text.Json;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>A host that declares what the test writes, in either era, and answers what it is asked whatever it declared.</summary>
internal sealed class WireHost
{
    private readonly Stream _toServer;
    private readonly StreamReader _fromServer;
    private readonly string? _meta;
    private int _lastId;

    private WireHost(PipeServer server, string? meta)
    {
        _toServer = server.Input;
        _fromServer = new(server.Output);
        _meta = meta;
    }

    /// <summary>The parameters of all questions so far.</summary>
    public List<JsonElement> Questions { get; } = [];

    /// <param name="server">The server to talk to.</param>
    /// <param name="revision">The protocol revision, which is that of an era.</param>
    /// <param name="capabilities">What is declared, as JSON.</param>
    /// <param name="clientInfo">Who the host says it is, as JSON; null where it does not say, which only the per-request era allows.</param>
    public static async Task<WireHost> ConnectAsync(
        PipeServer server, string revision, string capabilities, string? clientInfo = """{"name":"host","version":"1.2"}""")
    {
        if (string.CompareOrdinal(revision, Clients.PerRequestEra) >= 0)
        {
            var info = clientInfo is null ? "" : $",\"io.modelcontextprotocol/clientInfo\":{clientInfo}";
            return new(
                server,
                $$"""{"io.modelcontextprotocol/protocolVersion":"{{revision}}","io.modelcontextprotocol/clientCapabilities":{{capabilities}}{{info}} }""");
        }

        var host = new WireHost(server, meta: null);
        await host.RequestAsync(
            "initialize", $$"""{"protocolVersion":"{{revision}}","capabilities":{{capabilities}},"clientInfo":{{clientInfo}} }""", answer: null);
        return host;
    }

    /// <summary>The result of a call, during which each question gets this answer; without one nothing may be asked.</summary>
    public async Task<JsonElement> CallAsync(string tool, string arguments = "{}", string? answer = null)
    {
        var more = _meta is null ? "" : $",\"_meta\":{_meta}";
        var result = await RequestAsync("tools/call", $$"""{"name":"{{tool}}","arguments":{{arguments}}{{more}} }""", answer);
        while (result.TryGetProperty("inputRequests", out var requests))
        {
            var responses = $"{{{string.Join(',', requests.EnumerateObject().Select(request =>
                $"{JsonSerializer.Serialize(request.Name)}:{Answer(request.Value.GetProperty("params"), answer)}"))}}}";
            var state = result.GetProperty("requestState").GetRawText();
            result = await RequestAsync(
                "tools/call",
                $$"""{"name":"{{tool}}","arguments":{{arguments}}{{more}},"requestState":{{state}},"inputResponses":{{responses}} }""",
                answer);
        }

        return result;
    }

    private async Task<JsonElement> RequestAsync(string method, string parameters, string? answer)
    {
        var id = ++_lastId;
        await SendAsync($$"""{"jsonrpc":"2.0","id":{{id}},"method":"{{method}}","params":{{parameters}} }""");
        while (true)
        {
            var message = JsonElement.Parse(
                await _fromServer.ReadLineAsync(Clients.Cancellation) ?? throw new EndOfStreamException("The server closed the stream."));
            if (message.TryGetProperty("method", out var asked) && asked.ValueEquals("elicitation/create"))
            {
                await SendAsync($$"""{"jsonrpc":"2.0","id":{{message.GetProperty("id").GetRawText()}},"result":{{Answer(message.GetProperty("params"), answer)}} }""");
            }
            else if (!message.TryGetProperty("method", out _) && message.GetProperty("id").GetInt32() == id)
            {
                return WireClient.Result(message.GetRawText());
            }
        }
    }

    private string Answer(JsonElement question, string? answer)
    {
        Questions.Add(question);
        return answer ?? throw new InvalidOperationException($"The host was asked {question}");
    }

    private async Task SendAsync(string line)
    {
        await _toServer.WriteAsync(Encoding.UTF8.GetBytes(line + "\n"), Clients.Cancellation);
        await _toServer.FlushAsync(Clients.Cancellation);
    }
}
