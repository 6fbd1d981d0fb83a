using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using StdioServer;

var builder = Host.CreateApplicationBuilder(args);

// Standard output belongs to the protocol.
builder.Logging.AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace);

builder.Services
    .AddMcpServer()
    .WithStdioServerTransport()
    .WithElicitDoctor()
    .WithTools<TripTools>();

await builder.Build().RunAsync();
