namespace TryHosts;

/// <summary>A host got no report; the message is for the user.</summary>
internal sealed class VisitFailedException(PlayedHost host, ServerProgram server, Exception reason)
    : Exception(Describe(host, server, reason), reason)
{
    private static string Describe(PlayedHost host, ServerProgram server, Exception reason) =>
        $"""
        The host "{host.Name}" got no report from {server.Path}.
        {string.Join(' ', Reasons(reason).Distinct())}
        --server must name a program that is an MCP server on standard input and output and has the tool elicit_doctor.
        """;

    private static IEnumerable<string> Reasons(Exception? error)
    {
        for (; error is not null; error = error.InnerException)
        {
            yield return error.Message;
        }
    }
}
