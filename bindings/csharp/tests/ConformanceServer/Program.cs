using ConformanceServer;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using ModelContextProtocol;
using ModelContextProtocol.AspNetCore;

var builder = WebApplication.CreateSlimBuilder(args);

// Standard output says where the server is.
builder.Logging.ClearProviders().AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace).SetMinimumLevel(LogLevel.Warning);
builder.WebHost.UseUrls("http://127.0.0.1:0");

var witness = new Witness();
builder.Services
    .AddMcpServer()
    .WithHttpTransport(options => options.SessionMode = HttpServerSessionMode.StatefulForInitializeClients)
    .WithElicitDoctor()
    .WithTools<RequestTools>()
    .WithTools<RoundTripTools>()
    .WithTools<OtherInputTools>()
    .WithPrompts<RoundTripPrompts>()
    .WithMessageFilters(witness.Listen);

var application = builder.Build();
application.MapMcp("/mcp");
application.MapGet("/witnessed", () => Results.Json(witness.TakeAll(), McpJsonUtilities.DefaultOptions));

await application.StartAsync();
Console.WriteLine(application.Urls.Single());

// Whoever started this program holds its standard input open, so that it ends with them, whatever becomes of them.
var left = Console.OpenStandardInput().CopyToAsync(Stream.Null);
await Task.WhenAny(left, application.WaitForShutdownAsync());
await application.StopAsync();
