using System.Globalization;
using ElicitDoctor.ModelContextProtocol;
using Microsoft.Extensions.Configuration;
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
    .WithElicitDoctor(ConfigureDoctor)
    .WithTools<TripTools>();

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
