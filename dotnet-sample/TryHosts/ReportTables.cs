using System.Text.Json;
using ElicitDoctor;
using Spectre.Console;

namespace TryHosts;

/// <summary>The reports as tables: what hosts declare, with what was found as numbered notes below, and what they do when asked.</summary>
internal static class ReportTables
{
    private const int WidthOfAFile = 118;

    public static void Write(IReadOnlyList<Visit> visits)
    {
        var console = AnsiConsole.Console;
        console.Profile.Width = Console.IsOutputRedirected ? WidthOfAFile : Math.Clamp(console.Profile.Width, 80, 120);
        WriteDeclarations(console, visits.Where(visit => visit.Host.Behaviour is null));
        WriteVerdicts(console, visits.Where(visit => visit.Host.Behaviour is not null));
    }

    private static void WriteDeclarations(IAnsiConsole console, IEnumerable<Visit> visits)
    {
        var table = new Table()
            .RoundedBorder()
            .Title("What hosts declare")
            .AddColumn("host")
            .AddColumn(new TableColumn("revision").NoWrap())
            .AddColumn("declared")
            .AddColumn("can be asked")
            .AddColumn(new TableColumn("findings").NoWrap());
        var notes = new List<Finding>();
        foreach (var visit in visits)
        {
            using var report = DoctorReport.Parse(visit.ReportJson);
            table.AddRow(
                new Text(visit.Host.Name),
                new Text(report.Revision ?? "unknown"),
                new Text(Declared(visit.ReportJson)),
                new Markup(CanBeAsked(report)),
                new Markup(string.Join('\n', report.Findings.Select(finding => $"{Severity(finding)} {Number(finding, notes)}"))));
        }

        console.Write(table);
        for (var i = 0; i < notes.Count; i++)
        {
            console.MarkupLine($"{i + 1}. {Severity(notes[i])} {Markup.Escape(notes[i].Code)}: {Markup.Escape(notes[i].Message)}");
        }
    }

    private static void WriteVerdicts(IAnsiConsole console, IEnumerable<Visit> visits)
    {
        var table = new Table()
            .RoundedBorder()
            .Title("What they do when the doctor asks")
            .AddColumn("host")
            .AddColumn(new TableColumn("revision").NoWrap())
            .AddColumn(new TableColumn("verdict").NoWrap())
            .AddColumn("answered\nby")
            .AddColumn(new TableColumn("latency").RightAligned().NoWrap())
            .AddColumn("diagnosis");
        foreach (var visit in visits)
        {
            using var report = JsonDocument.Parse(visit.ReportJson);
            var probe = Find(report.RootElement, "probes", "elicitationForm") ?? default;
            table.AddRow(
                new Text(visit.Host.Name),
                new Text(visit.Host.Revision),
                new Markup(Verdict(Text(probe, "verdict"))),
                new Text(Text(probe, "answeredBy") ?? ""),
                new Text(Find(probe, "latencyMs") is { } latency ? $"{latency} ms" : ""),
                new Text(Text(probe, "diagnosis") ?? Text(probe, "reason") ?? ""));
        }

        console.WriteLine();
        console.Write(table);
    }

    private static string Verdict(string? verdict) => verdict switch
    {
        null => "[grey]not probed[/]",
        "working" => "[green]working[/]",
        "user_declined" => "[green]user_declined[/]",
        "unsupported" => "[red]unsupported[/]",
        _ => $"[yellow]{Markup.Escape(verdict)}[/]",
    };

    private static int Number(Finding finding, List<Finding> notes)
    {
        var index = notes.FindIndex(note => (note.Code, note.Message) == (finding.Code, finding.Message));
        if (index < 0)
        {
            index = notes.Count;
            notes.Add(finding);
        }

        return index + 1;
    }

    private static string Severity(Finding finding) => finding.Severity switch
    {
        FindingSeverity.Error => "[red]error[/]",
        FindingSeverity.Warning => "[yellow]warning[/]",
        _ => "[blue]info[/]",
    };

    private static string CanBeAsked(DoctorReport report)
    {
        var modes = (report.Support.ElicitationForm, report.Support.ElicitationUrl) switch
        {
            (true, true) => "[green]form, url[/]",
            (true, false) => "[green]form[/]",
            (false, true) => "[green]url[/]",
            _ => "[red]no[/]",
        };
        return (report.Support.Elicitation, report.Delivery) switch
        {
            (false, _) => modes,
            (_, Delivery.Request) => $"{modes} by request",
            (_, Delivery.InputRequired) => $"{modes} by input_required",
            _ => $"[red]no[/], though {modes}",
        };
    }

    private static string Declared(string reportJson)
    {
        using var report = JsonDocument.Parse(reportJson);
        var declared = Find(report.RootElement, "initialize", "request", "capabilities", "elicitation")
            ?? Find(report.RootElement, "perRequest", "request", "_meta", "io.modelcontextprotocol/clientCapabilities", "elicitation");
        return declared?.GetRawText() ?? "nothing";
    }

    private static string? Text(JsonElement element, string name) => Find(element, name)?.GetString();

    private static JsonElement? Find(JsonElement element, params ReadOnlySpan<string> path)
    {
        foreach (var name in path)
        {
            if (element.ValueKind != JsonValueKind.Object || !element.TryGetProperty(name, out element))
            {
                return null;
            }
        }

        return element;
    }
}
