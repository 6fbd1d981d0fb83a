using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using ModelContextProtocol.AspNetCore;
using ModelContextProtocol.Client;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>A server with the doctor in it, over HTTP on the loopback.</summary>
internal sealed class HttpServer : IAsyncDisposable
{
    private readonly WebApplication _application;

    private HttpServer(WebApplication application) => _application = application;

    public IServiceProvider Services => _application.Services;

    public Uri Endpoint => new(_application.Urls.Single());

    public static Task<HttpServer> StartAsync(HttpServerSessionMode mode, Action<IMcpServerBuilder>? configure = null) =>
        StartAsync(mode, (server, _) => configure?.Invoke(server), _ => { });

    /// <summary>With endpoints of its own, whose address the configuration can use once the server runs.</summary>
    public static async Task<HttpServer> StartAsync(
        HttpServerSessionMode mode, Action<IMcpServerBuilder, Func<Uri>> configure, Action<WebApplication> map)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        var server = builder.Services
            .AddMcpServer()
            .WithHttpTransport(options => options.SessionMode = mode)
            .WithElicitDoctor()
            .WithTools<PreCheckTools>();
        WebApplication? application = null;
        configure(server, () => new(application!.Urls.Single()));
        application = builder.Build();
        application.MapMcp();
        map(application);
        await application.StartAsync(Clients.Cancellation);
        return new(application);
    }

    public Task<McpClient> ConnectAsync(McpClientOptions options) => McpClient.CreateAsync(
        new HttpClientTransport(new() { Endpoint = Endpoint, TransportMode = HttpTransportMode.StreamableHttp }),
        options,
        cancellationToken: Clients.Cancellation);

    public ValueTask DisposeAsync() => _application.DisposeAsync();
}
