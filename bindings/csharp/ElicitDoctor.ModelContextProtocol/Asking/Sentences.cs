using System.Globalization;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Pieces of the texts that hosts and authors read.</summary>
internal static class Sentences
{
    public static string WithWorkaround(string sentence, string? workaround) =>
        string.IsNullOrWhiteSpace(workaround) ? sentence : $"{sentence} Instead: {workaround.TrimEnd('.')}.";

    public static string Of(TimeSpan time) => time switch
    {
        { TotalMilliseconds: < 1000 } => string.Create(CultureInfo.InvariantCulture, $"{time.TotalMilliseconds:0} ms"),
        { TotalSeconds: < 120 } => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.#} s"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{time.TotalMinutes:0.#} minutes"),
    };

    public static string List(IEnumerable<Finding> findings) =>
        string.Join(' ', findings.Select(finding => finding.Path.Length == 0 ? finding.Message : $"{finding.Path}: {finding.Message}"));
}
