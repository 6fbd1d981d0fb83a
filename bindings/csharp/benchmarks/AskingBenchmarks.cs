using System.IO.Pipelines;
using System.Text.Json;
using BenchmarkDotNet.Attributes;
using ElicitDoctor.ModelContextProtocol;
using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.Benchmarks;

/// <summary>A tool call over a pair of pipes with the official client at the other end: what asking by the doctor's calls adds to it.</summary>
[MemoryDiagnoser]
public class AskingBenchmarks
{
    private McpClient _client = null!;
    private McpClient _plain = null!;

    public sealed record Trip(string Destination, int Days);

    [GlobalSetup]
    public async Task ConnectAsync()
    {
        _client = await ConnectAsync(server => server.WithElicitDoctor());
        _plain = await ConnectAsync(_ => { });
    }

    /// <summary>The SDK's own call, which checks neither the request nor the answer.</summary>
    [Benchmark(Baseline = true)]
    public Task<string> ElicitAsync() => CallAsync(_plain, "elicit");

    [Benchmark]
    public Task<string> TryElicitAsync() => CallAsync(_client, "try_elicit");

    [Benchmark]
    public Task<string> CallThatAsksNothing() => CallAsync(_plain, "nothing");

    [Benchmark]
    public Task<string> CallThatAsksNothingWithTheDoctor() => CallAsync(_client, "nothing");

    private static async Task<string> CallAsync(McpClient client, string tool) =>
        ((TextContentBlock)(await client.CallToolAsync(tool)).Content[0]).Text is "Rome 3" ? "" : throw new InvalidOperationException("The benchmark measures something else.");

    private static async Task<McpClient> ConnectAsync(Action<IMcpServerBuilder> add)
    {
        var (toServer, toClient) = (new Pipe(), new Pipe());
        var builder = new ServiceCollection().AddMcpServer().WithStreamServerTransport(toServer.Reader.AsStream(), toClient.Writer.AsStream());
        add(builder);
        builder.WithTools(
        [
            McpServerTool.Create(
                async (McpServer server) => Text((await server.ElicitAsync<Trip>("Where to?")).Content), new() { Name = "elicit" }),
            McpServerTool.Create(
                async (RequestContext<CallToolRequestParams> context) => Text((await context.TryElicitAsync<Trip>("Where to?")).TryGetValue(out var trip) ? trip : null),
                new() { Name = "try_elicit" }),
            McpServerTool.Create(() => "Rome 3", new() { Name = "nothing" }),
        ]);
        _ = builder.Services.BuildServiceProvider().GetRequiredService<McpServer>().RunAsync();
        return await McpClient.CreateAsync(
            new StreamClientTransport(toServer.Writer.AsStream(), toClient.Reader.AsStream()),
            new()
            {
                ProtocolVersion = "2025-11-25",
                Capabilities = new() { Elicitation = new() { Form = new() } },
                Handlers = new()
                {
                    ElicitationHandler = (_, _) => new(new ElicitResult
                    {
                        Action = "accept",
                        Content = new Dictionary<string, JsonElement> { ["destination"] = JsonElement.Parse("\"Rome\""), ["days"] = JsonElement.Parse("3") },
                    }),
                },
            });
    }

    private static string Text(Trip? trip) => $"{trip?.Destination} {trip?.Days}";
}
