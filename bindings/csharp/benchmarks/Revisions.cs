namespace ElicitDoctor.Benchmarks;

internal static class Revisions
{
    internal const string WithElicitation = "2025-06-18";
    internal const string WithModes = "2025-11-25";
    internal const string WithDeprecations = "2026-07-28";
}
