using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol.AspNetCore;
using ModelContextProtocol.Client;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>A server with the doctor in it on one of the transports; over pipes each client gets one of its own.</summary>
internal sealed class AnyServer : IAsyncDisposable
{
    public const string Pipe = "pipe";
    public const string Stateful = nameof(HttpServerSessionMode.Stateful);
    public const string Hybrid = nameof(HttpServerSessionMode.StatefulForInitializeClients);
    public const string Stateless = nameof(HttpServerSessionMode.Stateless);

    private readonly HttpServer? _http;
    private readonly Action<IMcpServerBuilder>? _configure;
    private PipeServer? _pipe;

    private AnyServer(HttpServer? http, Action<IMcpServerBuilder>? configure)
    {
        _http = http;
        _configure = configure;
    }

    public static async Task<AnyServer> StartAsync(string transport, Action<IMcpServerBuilder>? configure = null) => new(
        transport == Pipe ? null : await HttpServer.StartAsync(Enum.Parse<HttpServerSessionMode>(transport), configure),
        configure);

    public Task<McpClient> ConnectAsync(McpClientOptions options) =>
        _http?.ConnectAsync(options) ?? (_pipe = PipeServer.Start(_configure)).ConnectAsync(options);

    public async Task EndSessionAsync()
    {
        if (_pipe is not null)
        {
            await _pipe.DisposeAsync();
            _pipe = null;
        }
    }

    public async ValueTask DisposeAsync()
    {
        await EndSessionAsync();
        if (_http is not null)
        {
            await _http.DisposeAsync();
        }
    }
}
