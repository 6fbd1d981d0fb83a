namespace ElicitDoctor.Benchmarks;

internal static class Revisions
{
    internal const string WithElicitation = "2025-06-18";
    internal const string WithModes = "2025-11-25";
    internal const string WithDeprecations = "2026-07-28";

    internal static bool IsKnown(ReadOnlySpan<byte> revision) =>
        revision.SequenceEqual("2025-11-25"u8)
        || revision.SequenceEqual("2025-06-18"u8)
        || revision.SequenceEqual("2025-03-26"u8)
        || revision.SequenceEqual("2024-11-05"u8);
}
