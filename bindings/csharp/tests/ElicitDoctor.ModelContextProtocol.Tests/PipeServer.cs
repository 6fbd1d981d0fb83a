using System.IO.Pipelines;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>A server with the doctor in it, and one session of it over a pair of pipes.</summary>
internal sealed class PipeServer : IAsyncDisposable
{
    private readonly ServiceProvider? _ownedServices;
    private readonly Pipe _toServer;
    private readonly McpServer _server;
    private readonly Task _running;

    private PipeServer(ServiceProvider? ownedServices, McpServer server, Pipe toServer, Pipe toClient)
    {
        _ownedServices = ownedServices;
        _server = server;
        _toServer = toServer;
        Input = toServer.Writer.AsStream();
        Output = toClient.Reader.AsStream();
        _running = server.RunAsync(CancellationToken.None);
    }

    public McpServer Server => _server;

    public Stream Input { get; }

    public Stream Output { get; }

    /// <summary>As on stdio: the transport is in the container, which serves this session only.</summary>
    public static PipeServer Start(Action<IMcpServerBuilder>? configure = null)
    {
        var (toServer, toClient) = (new Pipe(), new Pipe());
        var services = Services(builder =>
        {
            builder.WithStreamServerTransport(toServer.Reader.AsStream(), toClient.Writer.AsStream());
            configure?.Invoke(builder);
        });
        return new(services, services.GetRequiredService<McpServer>(), toServer, toClient);
    }

    /// <summary>One of several sessions of one container.</summary>
    public static PipeServer StartSession(ServiceProvider services)
    {
        var (toServer, toClient) = (new Pipe(), new Pipe());
        var transport = new StreamServerTransport(toServer.Reader.AsStream(), toClient.Writer.AsStream());
        var options = services.GetRequiredService<IOptions<McpServerOptions>>().Value;
        return new(ownedServices: null, McpServer.Create(transport, options, loggerFactory: null, services), toServer, toClient);
    }

    public static ServiceProvider Services(Action<IMcpServerBuilder>? configure = null)
    {
        var services = new ServiceCollection();
        var builder = services.AddMcpServer().WithElicitDoctor().WithTools<PreCheckTools>();
        configure?.Invoke(builder);
        return services.BuildServiceProvider();
    }

    public Task<McpClient> ConnectAsync(McpClientOptions options) =>
        McpClient.CreateAsync(new StreamClientTransport(Input, Output), options, cancellationToken: Clients.Cancellation);

    public WireClient ConnectWire() => new(Input, Output);

    public async ValueTask DisposeAsync()
    {
        await _toServer.Writer.CompleteAsync();
        await _running;
        await _server.DisposeAsync();
        if (_ownedServices is not null)
        {
            await _ownedServices.DisposeAsync();
        }
    }
}
