using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace TryHosts;

/// <summary>What the user asked for.</summary>
internal sealed record CommandLine(bool ShowHelp, bool Json, string? Server, TimeSpan ProbeTimeout)
{
    public const string Help = """
        Plays several kinds of MCP host against a server with the elicit doctor in it, and prints what the doctor says of each:
        first by what they declare, then by what they do when the doctor asks them.

        usage: TryHosts [--json] [--probe-timeout SECONDS] [--server PROGRAM]

          --json                   print the reports, one JSON document, instead of the tables
          --probe-timeout SECONDS  how long the doctor waits for the hosts that do not answer (1)
          --server PROGRAM         play against this MCP server (stdio, with the tool elicit_doctor) instead of StdioServer
          --help                   print this

        exit code: 0 every host got its report, 1 one did not, 2 unknown arguments
        """;

    public static bool TryParse(
        ReadOnlySpan<string> arguments,
        [NotNullWhen(true)] out CommandLine? commandLine,
        [NotNullWhen(false)] out string? problem)
    {
        commandLine = new(ShowHelp: false, Json: false, Server: null, ProbeTimeout: TimeSpan.FromSeconds(1));
        problem = null;
        while (arguments is [var argument, .. var rest])
        {
            arguments = rest;
            switch (argument)
            {
                case "--help" or "-h":
                    commandLine = commandLine with { ShowHelp = true };
                    break;
                case "--json":
                    commandLine = commandLine with { Json = true };
                    break;
                case "--probe-timeout" when rest is [var seconds, ..] && TryParseSeconds(seconds, out var timeout):
                    commandLine = commandLine with { ProbeTimeout = timeout };
                    arguments = rest[1..];
                    break;
                case "--probe-timeout":
                    problem = "--probe-timeout needs a number of seconds from 0.1 to 40.";
                    return false;
                case "--server" when rest is [var program, ..]:
                    commandLine = commandLine with { Server = program };
                    arguments = rest[1..];
                    break;
                case "--server":
                    problem = "--server needs the path of a program.";
                    return false;
                default:
                    problem = $"TryHosts does not know the argument {argument}.";
                    return false;
            }
        }

        return true;
    }

    private static bool TryParseSeconds(string text, out TimeSpan time)
    {
        var isGood = double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var seconds) && seconds is >= 0.1 and <= 40;
        time = isGood ? TimeSpan.FromSeconds(seconds) : default;
        return isGood;
    }
}
