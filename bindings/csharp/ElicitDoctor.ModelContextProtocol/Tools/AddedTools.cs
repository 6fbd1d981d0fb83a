using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Adds the tools that <see cref="ElicitDoctorOptions.Tools"/> names to the server.</summary>
internal sealed class AddedTools(
    HandshakeStore handshakes, Prober prober, IOptions<ElicitDoctorOptions> options, ILoggerFactory? loggerFactory = null)
    : IConfigureOptions<McpServerOptions>
{
    public void Configure(McpServerOptions server)
    {
        var tools = server.ToolCollection ??= [];
        foreach (var tool in Tools())
        {
            tools.TryAdd(tool);
        }
    }

    private IEnumerable<McpServerTool> Tools()
    {
        var wanted = options.Value.Tools;
        if (wanted.HasFlag(ElicitDoctorTools.Doctor))
        {
            yield return new ElicitDoctorTool(handshakes, prober, options, loggerFactory);
        }

        if (wanted.HasFlag(ElicitDoctorTools.Confirm))
        {
            yield return new ElicitConfirmTool();
        }

        if (wanted.HasFlag(ElicitDoctorTools.Form))
        {
            yield return new ElicitFormTool();
        }
    }
}
