using System.Globalization;
using System.Text.Json;
using ElicitDoctor.ModelContextProtocol;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using ModelContextProtocol;
using StdioServer;

var builder = Host.CreateApplicationBuilder(args);

// Standard output belongs to the protocol.
builder.Logging.AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace);

var json = new JsonSerializerOptions(McpJsonUtilities.DefaultOptions);
json.TypeInfoResolverChain.Insert(0, SampleJson.Default);

var server = builder.Services
    .AddMcpServer()
    .WithStdioServerTransport()
    .WithElicitDoctor(ConfigureDoctor)
    .WithTools<TripTools>()
    .WithTools<TableTools>(json);

// Whoever starts the server says whether it may delete files, and where: --Files:Folder=PATH.
if (builder.Configuration["Files:Folder"] is { } folder)
{
    builder.Services.AddSingleton(new ScratchFolder(folder));
    server.WithTools<FileTools>();
}

await builder.Build().RunAsync();

// From the command line (--ElicitDoctor:ProbeTimeoutSeconds=5) or the environment (ElicitDoctor__ProbeTimeoutSeconds).
void ConfigureDoctor(ElicitDoctorOptions options)
{
    const string Key = "ElicitDoctor:ProbeTimeoutSeconds";
    if (builder.Configuration[Key] is { } timeout)
    {
        options.ProbeTimeout = double.TryParse(timeout, NumberStyles.Float, CultureInfo.InvariantCulture, out var seconds) && seconds is > 0 and < 1e6
            ? TimeSpan.FromSeconds(seconds)
            : throw new InvalidOperationException($"{Key} is \"{timeout}\"; give a number of seconds, such as 40.");
    }
}
