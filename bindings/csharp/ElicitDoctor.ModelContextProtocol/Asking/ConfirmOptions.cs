namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Settings of one confirmation.</summary>
public sealed class ConfirmOptions : ElicitOptions
{
    /// <summary>The most characters that a label may have.</summary>
    public const int MaxLabelLength = 40;

    /// <summary>What the user picks to agree, 1 to 40 characters. <c>Yes</c> unless set.</summary>
    /// <remarks>It must differ from <see cref="CancelLabel"/>.</remarks>
    public string OkLabel { get; init; } = "Yes";

    /// <summary>What the user picks to refuse, 1 to 40 characters. <c>No</c> unless set.</summary>
    public string CancelLabel { get; init; } = "No";
}
