using System.Globalization;
using ElicitDoctor.Soak;

// Probes hosts of every kind for as long as it takes, and fails if a task does not complete, a handle is left, a report
// says something else than it must, or memory grows. --probes N says how many.
CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
if (!TryReadProbes(args, out int probes))
{
    Console.Error.WriteLine($"Use --probes N with N from {Soak.FewestProbes}; without it {Soak.DefaultProbes:N0} probes run.");
    return 2;
}

IReadOnlyList<string> problems = await new Soak(probes).RunAsync();
foreach (string problem in problems)
{
    Console.Error.WriteLine($"FAILED: {problem}");
}

Console.WriteLine(problems.Count == 0 ? $"soak: {probes:N0} probes, all as they must be" : $"soak: {problems.Count} of its requirements are not met");
return problems.Count == 0 ? 0 : 1;

static bool TryReadProbes(string[] args, out int probes)
{
    probes = Soak.DefaultProbes;
    return args is []
        || (args is ["--probes", string number]
            && int.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out probes)
            && probes >= Soak.FewestProbes);
}
