using System.Text.Json.Nodes;
using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol.AspNetCore;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>Probes over HTTP, with a real Kestrel.</summary>
public sealed class HttpProbeTests
{
    [Theory]
    [InlineData(HttpServerSessionMode.Stateful, Clients.InitializeEra)]
    [InlineData(HttpServerSessionMode.StatefulForInitializeClients, Clients.InitializeEra)]
    [InlineData(HttpServerSessionMode.StatefulForInitializeClients, Clients.PerRequestEra)]
    [InlineData(HttpServerSessionMode.Stateless, Clients.PerRequestEra)]
    public async Task Each_session_mode_with_a_way_to_ask_makes_the_round_trip(HttpServerSessionMode mode, string revision)
    {
        await using var server = await HttpServer.StartAsync(mode);
        (ElicitResult Answer, string Outcome)[] cases =
        [
            (Clients.Accept("ok"), "working machine accepted_too_fast"),
            (new() { Action = "decline" }, "advertised_but_autocanceled machine refused_too_fast"),
            (new() { Action = "cancel" }, "advertised_but_autocanceled machine refused_too_fast"),
        ];
        foreach (var (answer, outcome) in cases)
        {
            await using var client = await server.ConnectAsync(Clients.Options(revision, (_, _) => Task.FromResult(answer)));

            Assert.Equal(outcome, (await client.CallDoctorAsync(probeElicitation: true)).FormProbe().Outcome());
        }
    }

    [Fact]
    public async Task A_stateless_server_does_not_ask_a_client_of_the_initialize_era()
    {
        await using var server = await HttpServer.StartAsync(HttpServerSessionMode.Stateless);
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, (_, _) => throw new InvalidOperationException("asked")));

        var probe = (await client.CallDoctorAsync(probeElicitation: true)).FormProbe();

        Assert.False((bool)probe["attempted"]!);
        Assert.Contains("stateless", (string?)probe["reason"]);
    }

    [Fact]
    public async Task A_question_that_nobody_answers_is_taken_back_over_http_too()
    {
        await using var server = await HttpServer.StartAsync(
            HttpServerSessionMode.Stateful, builder => builder.WithElicitDoctor(options => options.ProbeTimeout = TimeSpan.FromMilliseconds(50)));
        var takenBack = new TaskCompletionSource();
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, async (_, cancellationToken) =>
        {
            await using var registration = cancellationToken.Register(takenBack.SetResult);
            await takenBack.Task.WaitAsync(Clients.Cancellation);
            return new();
        }));

        Assert.Equal("advertised_but_unanswered unknown", (await client.CallDoctorAsync(probeElicitation: true)).FormProbe().Outcome());
        await takenBack.Task.WaitAsync(Clients.Cancellation);
    }

    [Fact]
    public async Task Two_instances_behind_a_round_robin_finish_one_probe()
    {
        var key = new byte[32];
        await using var first = await StartAsync(key);
        await using var second = await StartAsync(key);
        using var roundRobin = new RoundRobin(first.Endpoint, second.Endpoint);
        await using var client = await ConnectAsync(first, roundRobin);

        var report = await client.CallDoctorAsync(probeElicitation: true);

        Assert.Equal("working machine accepted_too_fast", report.FormProbe().Outcome());
        Assert.Equal([first.Endpoint.Port, second.Endpoint.Port], roundRobin.ToolCalls);
    }

    [Fact]
    public async Task Two_instances_with_different_keys_refuse_each_others_state()
    {
        await using var first = await StartAsync(new byte[32]);
        await using var second = await StartAsync([.. Enumerable.Repeat((byte)1, 32)]);
        using var roundRobin = new RoundRobin(first.Endpoint, second.Endpoint);
        await using var client = await ConnectAsync(first, roundRobin);

        var result = await client.CallToolAsync(
            "elicit_doctor", new Dictionary<string, object?> { ["probeElicitation"] = true }, cancellationToken: Clients.Cancellation);

        Assert.True(result.IsError);
        Assert.Contains("give every instance the same key", Assert.IsType<TextContentBlock>(Assert.Single(result.Content)).Text);
        Assert.Equal([first.Endpoint.Port, second.Endpoint.Port], roundRobin.ToolCalls);
    }

    private static Task<HttpServer> StartAsync(byte[] key) => HttpServer.StartAsync(
        HttpServerSessionMode.Stateless, builder => builder.WithElicitDoctor(options => options.StateKeys.Add(key)));

    private static Task<McpClient> ConnectAsync(HttpServer server, RoundRobin roundRobin) => McpClient.CreateAsync(
        new HttpClientTransport(
            new() { Endpoint = server.Endpoint, TransportMode = HttpTransportMode.StreamableHttp },
            new HttpClient(roundRobin, disposeHandler: false),
            ownsHttpClient: true),
        Clients.Options(Clients.PerRequestEra, (_, _) => Task.FromResult(Clients.Accept("ok"))),
        cancellationToken: Clients.Cancellation);

    /// <summary>Sends each tool call to the next instance, as a load balancer may.</summary>
    private sealed class RoundRobin(params Uri[] instances) : DelegatingHandler(new SocketsHttpHandler())
    {
        public List<int> ToolCalls { get; } = [];

        protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
        {
            var body = request.Content is null ? null : JsonNode.Parse(await request.Content.ReadAsStringAsync(cancellationToken));
            if ((string?)body?["method"] == "tools/call")
            {
                var instance = instances[ToolCalls.Count % instances.Length];
                ToolCalls.Add(instance.Port);
                request.RequestUri = instance;
            }

            return await base.SendAsync(request, cancellationToken);
        }
    }
}
