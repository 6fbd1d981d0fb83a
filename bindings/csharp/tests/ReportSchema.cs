using System.Text.Json;
using Json.Schema;
using Xunit;

namespace ElicitDoctor.TestSupport;

/// <summary>Checks reports against <c>schema/report.schema.json</c>; every test that makes a report calls it.</summary>
internal static class ReportSchema
{
    private static readonly JsonSchema Schema =
        JsonSchema.FromText(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "report.schema.json")));

    /// <summary>Fails with the places and reasons if the text is no report as the schema describes it.</summary>
    internal static void AssertValid(string reportJson)
    {
        using JsonDocument report = JsonDocument.Parse(reportJson);
        EvaluationResults results = Schema.Evaluate(
            report.RootElement, new EvaluationOptions { OutputFormat = OutputFormat.List });

        IEnumerable<string> problems = (results.Details ?? [])
            .Where(detail => detail.Errors is not null)
            .SelectMany(detail => detail.Errors!.Select(error => $"{detail.InstanceLocation}: {error.Value}"));
        Assert.True(results.IsValid, $"{string.Join(Environment.NewLine, problems)}{Environment.NewLine}in {reportJson}");
    }
}
