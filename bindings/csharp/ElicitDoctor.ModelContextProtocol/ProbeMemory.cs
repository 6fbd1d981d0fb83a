using System.Collections.Concurrent;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Who answered the last probes of a session, by mode.</summary>
internal sealed class ProbeMemory
{
    private readonly ConcurrentDictionary<ElicitationMode, AnsweredBy> _answeredBy = [];

    /// <summary>Whether a machine answers here, as far as was seen.</summary>
    public bool IsMachine => _answeredBy.Values.Contains(AnsweredBy.Machine);

    /// <summary>Keeps what a probe found; one that could not tell changes nothing.</summary>
    public void Keep(ElicitationMode mode, AnsweredBy answeredBy)
    {
        if (answeredBy != AnsweredBy.Unknown)
        {
            _answeredBy[mode] = answeredBy;
        }
    }
}
