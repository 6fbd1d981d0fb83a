using System.Globalization;
using System.Runtime.InteropServices;
using ModelContextProtocol.Client;

namespace TryHosts;

/// <summary>The MCP server that the hosts start: StdioServer, which the build puts beside this program, or another one.</summary>
internal sealed class ServerProgram(string? path, TimeSpan shortProbeTimeout)
{
    /// <summary>How long the doctor waits for a host that does not answer.</summary>
    public TimeSpan ShortProbeTimeout { get; } = shortProbeTimeout;

    public string Path { get; } = path
        ?? System.IO.Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "StdioServer.exe" : "StdioServer");

    /// <summary>A transport that starts a process of its own.</summary>
    public IClientTransport CreateTransport(bool shortProbeTimeout)
    {
        var environment = new Dictionary<string, string?> { ["DOTNET_ROOT"] = DotnetRoot };
        if (shortProbeTimeout)
        {
            environment["ElicitDoctor__ProbeTimeoutSeconds"] = ShortProbeTimeout.TotalSeconds.ToString(CultureInfo.InvariantCulture);
        }

        return new StdioClientTransport(new() { Name = "StdioServer", Command = Path, EnvironmentVariables = environment });
    }

    // The server shall run on the runtime that runs this program, wherever that is installed.
    private static string DotnetRoot =>
        System.IO.Path.GetFullPath(System.IO.Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", ".."));
}
