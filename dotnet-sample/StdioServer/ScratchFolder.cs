using System.IO.Enumeration;

namespace StdioServer;

/// <summary>The one folder whose files the server may delete. What is below it or linked from it is out of reach.</summary>
internal sealed class ScratchFolder
{
    private readonly DirectoryInfo _folder;

    public ScratchFolder(string path)
    {
        _folder = new(path);
        if (!_folder.Exists)
        {
            throw new InvalidOperationException($"Files:Folder is \"{path}\"; give a folder that exists.");
        }
    }

    /// <summary>The names of the files that fit a pattern such as <c>*.log</c>, in order.</summary>
    /// <remarks>
    /// The pattern is compared with names and never becomes a path, so nothing outside the folder can fit it. Names with a line break or
    /// the like are left out: they could make a question read as another one.
    /// </remarks>
    public IReadOnlyList<string> Find(string pattern) =>
    [
        .. _folder
            .EnumerateFiles()
            .Select(file => file.Name)
            .Where(name => FileSystemName.MatchesSimpleExpression(pattern, name) && !name.Any(char.IsControl))
            .Order(StringComparer.Ordinal),
    ];

    public bool TryDelete(string name)
    {
        try
        {
            File.Delete(Path.Combine(_folder.FullName, name));
            return true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}
