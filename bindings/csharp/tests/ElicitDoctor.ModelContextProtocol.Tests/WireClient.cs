using System.Text;
using System.Text.Json;
using ElicitDoctor.TestSupport;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>A client that sends lines as they are written in the test and reads what comes back.</summary>
internal sealed class WireClient(Stream toServer, Stream fromServer)
{
    private readonly StreamReader _reader = new(fromServer);
    private readonly List<string> _unread = [];
    private int _lastId;

    /// <summary>Sends a request and gives the line with its answer.</summary>
    public async Task<string> RequestAsync(string method, string parameters)
    {
        var id = ++_lastId;
        await SendAsync($$"""{"jsonrpc":"2.0","id":{{id}},"method":"{{method}}","params":{{parameters}}}""");
        return await ReadAnswerAsync(id);
    }

    /// <summary>The handshake of a client that declares forms and URLs.</summary>
    public async Task InitializeAsync() => Result(await RequestAsync(
        "initialize", """{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"n","version":"1"}}"""));

    /// <summary>The text of a report that <c>elicit_doctor</c> answered.</summary>
    public async Task<string> RequestReportAsync(string parameters = """{"name":"elicit_doctor"}""")
    {
        var result = Result(await RequestAsync("tools/call", parameters));
        var report = ToolText(result);
        Assert.False(result.TryGetProperty("isError", out var isError) && isError.GetBoolean(), report);
        ReportSchema.AssertValid(report);
        return report;
    }

    /// <summary>Answers a request of the server with the member <c>result</c> or <c>error</c>.</summary>
    public Task RespondAsync(JsonElement request, string response) =>
        SendAsync($$"""{"jsonrpc":"2.0","id":{{request.GetProperty("id").GetRawText()}},{{response}} }""");

    public async Task SendAsync(string lines)
    {
        await toServer.WriteAsync(Encoding.UTF8.GetBytes(lines + "\n"), Clients.Cancellation);
        await toServer.FlushAsync(Clients.Cancellation);
    }

    public Task<string> ReadAnswerAsync(int id) => ReadAsync(message =>
        !message.TryGetProperty("method", out _) && message.TryGetProperty("id", out var answered) && answered.TryGetInt32(out var number) && number == id);

    /// <summary>The next request or notification of the server with this method.</summary>
    public async Task<JsonElement> ReadRequestAsync(string method) => JsonElement.Parse(
        await ReadAsync(message => message.TryGetProperty("method", out var name) && name.GetString() == method));

    private async Task<string> ReadAsync(Func<JsonElement, bool> isWanted)
    {
        var line = _unread.Find(line => isWanted(JsonElement.Parse(line)));
        _unread.Remove(line!);
        while (line is null)
        {
            var next = await _reader.ReadLineAsync(Clients.Cancellation) ?? throw new EndOfStreamException("The server closed the stream.");
            if (isWanted(JsonElement.Parse(next)))
            {
                line = next;
            }
            else
            {
                _unread.Add(next);
            }
        }

        return line;
    }

    public Task<string> ReadToEndAsync() => _reader.ReadToEndAsync(Clients.Cancellation);

    public static JsonElement Result(string answer) =>
        JsonElement.Parse(answer).TryGetProperty("result", out var result) ? result : throw new InvalidOperationException($"The server refused: {answer}");

    public static int? ErrorCode(string answer) =>
        JsonElement.Parse(answer).TryGetProperty("error", out var error) ? error.GetProperty("code").GetInt32() : null;

    public static string ToolText(JsonElement result) => result.GetProperty("content")[0].GetProperty("text").GetString()!;
}
