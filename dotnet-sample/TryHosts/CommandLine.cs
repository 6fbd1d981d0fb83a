using System.Diagnostics.CodeAnalysis;

namespace TryHosts;

/// <summary>What the user asked for.</summary>
internal sealed record CommandLine(bool ShowHelp, bool Json, string? Server)
{
    public const string Help = """
        Plays several kinds of MCP host against a server with the elicit doctor in it, and prints what the doctor says of each.

        usage: TryHosts [--json] [--server PROGRAM]

          --json            print the reports, one JSON document, instead of the table
          --server PROGRAM  play against this MCP server (stdio, with the tool elicit_doctor) instead of StdioServer
          --help            print this

        exit code: 0 every host got its report, 1 one did not, 2 unknown arguments
        """;

    public static bool TryParse(
        ReadOnlySpan<string> arguments,
        [NotNullWhen(true)] out CommandLine? commandLine,
        [NotNullWhen(false)] out string? problem)
    {
        commandLine = new(ShowHelp: false, Json: false, Server: null);
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
}
