using System.ComponentModel;
using ElicitDoctor.ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace StdioServer;

/// <summary>A tool that does what cannot be undone, and only with the user's consent.</summary>
[McpServerToolType]
internal sealed class FileTools
{
    // The user shall read every name that they agree to.
    private const int MostFiles = 20;

    [McpServerTool(Name = "delete_files", Destructive = true), Description("Deletes files in the server's scratch folder, after the user agreed.")]
    public static async Task<string> DeleteFiles(
        RequestContext<CallToolRequestParams> context,
        ScratchFolder folder,
        [Description("A pattern for the names of the files, such as *.log.")] string pattern,
        CancellationToken cancellationToken = default)
    {
        if (pattern.AsSpan().ContainsAny('/', '\\'))
        {
            return "Nothing was deleted: the pattern is for names in the scratch folder, and nothing outside of it can be deleted.";
        }

        var names = folder.Find(pattern);
        if (names.Count is 0 or > MostFiles)
        {
            return $"Nothing was deleted: {names.Count} files fit {pattern}, and it must be 1 to {MostFiles}.";
        }

        // On 2026-07-28 the tool runs again with the answer. Had the files changed meanwhile, it would be another question, which is asked anew.
        var confirmation = await context.ConfirmAsync(
            $"Delete {Count(names)} for good? {string.Join(", ", names)}",
            new ConfirmOptions { OkLabel = "Delete", CancelLabel = "Keep" },
            cancellationToken);
        if (!confirmation.Given)
        {
            return $"Nothing was deleted. {confirmation.Explain(workaround: "the user can delete them without this server")}";
        }

        var kept = names.Where(name => !folder.TryDelete(name)).ToList();
        return kept.Count == 0
            ? $"Deleted {Count(names)}."
            : $"Deleted {names.Count - kept.Count} of {Count(names)}. These could not be deleted: {string.Join(", ", kept)}";
    }

    private static string Count(IReadOnlyList<string> names) => names.Count == 1 ? "1 file" : $"{names.Count} files";
}
