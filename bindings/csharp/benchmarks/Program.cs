using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using ElicitDoctor.Benchmarks;

// Arguments are BenchmarkDotNet's, without a filter: --job dry only shows that everything runs.
ReportBenchmarks.ThrowUnlessAllWriteTheSameBytes();
CheckRequestBenchmarks.ThrowUnlessAllAgree();
CheckAnswerBenchmarks.ThrowUnlessAllAgree();

Type[] benchmarks = [typeof(ClassifyBenchmarks), typeof(ReportBenchmarks), typeof(CheckRequestBenchmarks), typeof(CheckAnswerBenchmarks), typeof(AskingBenchmarks)];
Summary[] summaries = [.. new BenchmarkSwitcher(benchmarks).RunAll(DefaultConfig.Instance, args)];
bool complete = summaries.All(summary => !summary.HasCriticalValidationErrors && summary.Reports.All(report => report.Success));

Console.WriteLine();
Console.WriteLine("| what | against | ratio | target |");
Console.WriteLine("|---|---|---|---|");
PrintRatio(nameof(ClassifyBenchmarks.Classify), nameof(ClassifyBenchmarks.EmptyCall), 1.5);
PrintRatio(nameof(ReportBenchmarks.ElicitDoctor), nameof(ReportBenchmarks.JsonNode), 0.3);
PrintRatio(nameof(ReportBenchmarks.ElicitDoctor), nameof(ReportBenchmarks.ReaderAndWriter), 1);
PrintRatio(nameof(CheckRequestBenchmarks.CheckRequest), nameof(CheckRequestBenchmarks.RequestByJsonSchemaNet), 0.1);
PrintRatio(nameof(CheckRequestBenchmarks.CheckRequest), nameof(CheckRequestBenchmarks.RequestByNJsonSchema), 0.1);
PrintRatio(nameof(CheckRequestBenchmarks.CheckRequest), nameof(CheckRequestBenchmarks.RequestByPreparedJsonSchemaNet), 0.5);
PrintRatio(nameof(CheckRequestBenchmarks.CheckRequest), nameof(CheckRequestBenchmarks.RequestByPreparedNJsonSchema), 0.5);
PrintRatio(nameof(CheckAnswerBenchmarks.CheckAnswer), nameof(CheckAnswerBenchmarks.AnswerByJsonSchemaNet), 0.1);
PrintRatio(nameof(CheckAnswerBenchmarks.CheckAnswer), nameof(CheckAnswerBenchmarks.AnswerByNJsonSchema), 0.1);
PrintRatio(nameof(CheckAnswerBenchmarks.CheckAnswer), nameof(CheckAnswerBenchmarks.AnswerByPreparedJsonSchemaNet), 0.5);
PrintRatio(nameof(CheckAnswerBenchmarks.CheckAnswer), nameof(CheckAnswerBenchmarks.AnswerByPreparedNJsonSchema), 0.5);
PrintRatio(nameof(AskingBenchmarks.TryElicitAsync), nameof(AskingBenchmarks.ElicitAsync), 1.25);
PrintRatio(nameof(AskingBenchmarks.CallThatAsksNothingWithTheDoctor), nameof(AskingBenchmarks.CallThatAsksNothing), 1.1);

bool isDry = args.Contains("dry", StringComparer.OrdinalIgnoreCase);
Console.WriteLine();
Console.WriteLine("| probe | measured | target |");
Console.WriteLine("|---|---|---|");
await foreach (ProbeFigure figure in ProbeFigure.MeasureAsync(isDry))
{
    Console.WriteLine(FormattableString.Invariant($"| {figure.Name} | {figure.Measured:F0} {figure.Unit} | at most {figure.Target} {figure.Unit} |"));
}

return complete ? 0 : 1;

void PrintRatio(string subject, string reference, double target)
{
    if (MedianOf(subject) is { } measured && MedianOf(reference) is { } baseline)
    {
        Console.WriteLine(FormattableString.Invariant($"| {subject} | {reference} | {measured / baseline:F2} | at most {target} |"));
    }
}

double? MedianOf(string method) => summaries
    .SelectMany(summary => summary.Reports)
    .FirstOrDefault(report => report.BenchmarkCase.Descriptor.WorkloadMethod.Name == method)?.ResultStatistics?.Median;
