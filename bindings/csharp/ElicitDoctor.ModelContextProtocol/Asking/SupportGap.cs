using System.Text;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Why a host cannot be asked.</summary>
/// <param name="Mode">The mode in which it should have been asked.</param>
/// <param name="HostName">What the client calls itself; null where it does not say.</param>
/// <param name="HostVersion">The version that the client says it has; null where it does not say.</param>
/// <param name="Revision">The protocol revision that holds; null where none was seen.</param>
/// <param name="Declared">The client's <c>elicitation</c> capability as it was sent, as JSON; null where it sent none.</param>
/// <param name="Missing">One sentence that says what is missing.</param>
public sealed record SupportGap(
    ElicitationMode Mode,
    string? HostName,
    string? HostVersion,
    string? Revision,
    string? Declared,
    string Missing)
{
    /// <summary>All of it in one or two sentences, for a person.</summary>
    public override string ToString()
    {
        var text = new StringBuilder("The host");
        if (HostName is not null)
        {
            text.Append(' ').Append(HostName);
            if (HostVersion is not null)
            {
                text.Append(' ').Append(HostVersion);
            }
        }

        text.Append(Mode == ElicitationMode.Url ? " cannot be asked to open a URL. " : " cannot be asked by a form. ").Append(Missing);
        return Declared is null ? text.ToString() : text.Append(" It declared elicitation as ").Append(Declared).Append('.').ToString();
    }
}
