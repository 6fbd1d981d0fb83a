using System.Diagnostics;
using System.Reflection;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The programs of <c>dotnet-sample</c>, as the build left them.</summary>
internal static class SamplePrograms
{
    public static string Dotnet { get; } = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";

    public static string TryHosts => Metadata("TryHosts");

    public static string StdioServer => Metadata("StdioServer");

    public static Process Start(string program, params string[] arguments) => Process.Start(
        new ProcessStartInfo(Dotnet, [program, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;

    private static string Metadata(string key) => typeof(SamplePrograms).Assembly
        .GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(metadata => metadata.Key == key)
        .Value!;
}
