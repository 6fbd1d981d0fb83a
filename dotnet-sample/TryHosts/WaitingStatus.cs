using Spectre.Console;

namespace TryHosts;

/// <summary>Says on a terminal which hosts have no report yet; silent where the output goes elsewhere.</summary>
internal static class WaitingStatus
{
    public static async Task<Visit[]> ShowAsync(IReadOnlyList<PlayedHost> hosts, Func<PlayedHost, Task<Visit>> visit, bool quiet)
    {
        var visits = hosts.Select(visit).ToArray();
        if (quiet || Console.IsOutputRedirected)
        {
            return await Task.WhenAll(visits);
        }

        return await AnsiConsole.Status().StartAsync(Describe(hosts, visits), async status =>
        {
            await foreach (var _ in Task.WhenEach(visits))
            {
                status.Status(Describe(hosts, visits));
            }

            return await Task.WhenAll(visits);
        });
    }

    private static string Describe(IReadOnlyList<PlayedHost> hosts, Task<Visit>[] visits)
    {
        var waiting = hosts.Where((_, index) => !visits[index].IsCompleted).Select(host => $"{host.Name} ({host.Revision})").ToList();
        var more = waiting.Count > 3 ? $" and {waiting.Count - 3} more" : "";
        return Markup.Escape($"Waiting for: {string.Join(", ", waiting.Take(3))}{more}");
    }
}
