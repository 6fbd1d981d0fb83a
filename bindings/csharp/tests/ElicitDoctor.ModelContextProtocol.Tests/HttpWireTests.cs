using System.Net;
using System.Net.Http.Headers;
using System.Text;
using ElicitDoctor.TestSupport;
using ModelContextProtocol.AspNetCore;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The same over HTTP, with requests written by hand.</summary>
public sealed class HttpWireTests
{
    private const string Parameters =
        """{"zz":1e3,"protocolVersion":"2025-11-25","capabilities":{"elicitation":{},"x":2.50},"clientInfo":{"name":"\u00e9é\/😀","version":"1"}}""";

    [Theory]
    [InlineData(HttpServerSessionMode.Stateful)]
    [InlineData(HttpServerSessionMode.StatefulForInitializeClients)]
    public async Task The_handshake_comes_back_byte_for_byte(HttpServerSessionMode mode)
    {
        await using var server = await HttpServer.StartAsync(mode);
        using var http = new HttpClient();
        var (initialized, sessionId) = await PostAsync(http, server.Endpoint, null, Initialize(Parameters));

        var (answer, _) = await PostAsync(http, server.Endpoint, sessionId, CallDoctor);

        Assert.StartsWith(
            $$$"""{"initialize":{"request":{{{Parameters}}},"response":{{{WireClient.Result(initialized).GetRawText()}}}},"support":""",
            Report(answer));
    }

    [Fact]
    public async Task A_stateless_server_says_that_it_cannot_tie_the_call_to_its_handshake()
    {
        await using var server = await HttpServer.StartAsync(HttpServerSessionMode.Stateless);
        using var http = new HttpClient();
        await PostAsync(http, server.Endpoint, null, Initialize(Parameters));

        var (answer, _) = await PostAsync(http, server.Endpoint, null, CallDoctor);

        Assert.StartsWith("""{"initialize":{},""", Report(answer));
        Assert.Contains("stateless_without_handshake", Report(answer));
    }

    [Theory]
    [InlineData(HttpServerSessionMode.Stateful)]
    [InlineData(HttpServerSessionMode.Stateless)]
    public async Task The_sdk_refuses_a_malformed_capability_and_the_server_goes_on(HttpServerSessionMode mode)
    {
        await using var server = await HttpServer.StartAsync(mode);
        using var http = new HttpClient();

        using var refused = await SendAsync(
            http, server.Endpoint, null, Initialize("""{"protocolVersion":"2025-11-25","capabilities":{"elicitation":true},"clientInfo":{"name":"n","version":"1"}}"""));
        var (initialized, _) = await PostAsync(http, server.Endpoint, null, Initialize(Parameters));

        Assert.Equal(HttpStatusCode.InternalServerError, refused.StatusCode);
        WireClient.Result(initialized);
    }

    private const string CallDoctor = """{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"elicit_doctor"}}""";

    private static string Initialize(string parameters) => $$"""{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{parameters}} }""";

    private static string Report(string answer)
    {
        var report = WireClient.ToolText(WireClient.Result(answer));
        ReportSchema.AssertValid(report);
        return report;
    }

    private static async Task<(string Answer, string? SessionId)> PostAsync(HttpClient http, Uri endpoint, string? sessionId, string message)
    {
        using var response = await SendAsync(http, endpoint, sessionId, message);
        var events = await response.Content.ReadAsStringAsync(Clients.Cancellation);
        Assert.True(response.IsSuccessStatusCode, $"{(int)response.StatusCode}: {events}");
        var answer = events.Split('\n').Single(line => line.StartsWith("data: {", StringComparison.Ordinal))["data: ".Length..];
        return (answer, response.Headers.TryGetValues("Mcp-Session-Id", out var ids) ? ids.Single() : null);
    }

    private static async Task<HttpResponseMessage> SendAsync(HttpClient http, Uri endpoint, string? sessionId, string message)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, endpoint) { Content = new StringContent(message, Encoding.UTF8, "application/json") };
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("application/json"));
        request.Headers.Accept.Add(new MediaTypeWithQualityHeaderValue("text/event-stream"));
        if (sessionId is not null)
        {
            request.Headers.Add("Mcp-Session-Id", sessionId);
        }

        return await http.SendAsync(request, Clients.Cancellation);
    }
}
