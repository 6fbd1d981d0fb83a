using System.Diagnostics.CodeAnalysis;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What one probe asks: a form, or the visit of a page that has a name of its own.</summary>
internal sealed record ProbeQuestion(ProbeOptions Options, string? Name = null, ProbePage? Page = null)
{
    public static bool TryMake(
        ElicitDoctorOptions options,
        ElicitationMode mode,
        string? name,
        [NotNullWhen(true)] out ProbeQuestion? question,
        [NotNullWhen(false)] out string? reason)
    {
        reason = null;
        if (mode == ElicitationMode.Form)
        {
            question = new(new ProbeOptions { Timeout = options.ProbeTimeout });
        }
        else if (options.ProbePage is { } makePage)
        {
            var page = makePage(name!);
            question = new(new ProbeOptions { Mode = mode, Timeout = options.ProbeTimeout, Url = page.Url, ElicitationId = name }, name, page);
        }
        else
        {
            (question, reason) = (null, "the server has no page to open (ElicitDoctorOptions.ProbePage)");
        }

        return question is not null;
    }
}
