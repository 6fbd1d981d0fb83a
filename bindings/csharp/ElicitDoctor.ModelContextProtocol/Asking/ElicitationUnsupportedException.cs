namespace ElicitDoctor.ModelContextProtocol;

/// <summary>The host of a request cannot be asked.</summary>
/// <remarks>
/// It is an <see cref="InvalidOperationException"/> because that is what the SDK's own <c>ElicitAsync</c> throws then. Unlike that
/// one it reaches the host with its text: the filters of <c>WithElicitDoctor</c> make a tool error of it, and in a prompt or a
/// resource a JSON-RPC error.
/// </remarks>
public sealed class ElicitationUnsupportedException : InvalidOperationException
{
    /// <summary>Makes the exception.</summary>
    /// <param name="gap">Why the host cannot be asked.</param>
    /// <param name="workaround">What the user can do instead, such as <c>pass --yes</c>; null for nothing.</param>
    /// <exception cref="ArgumentNullException"><paramref name="gap"/> is null.</exception>
    public ElicitationUnsupportedException(SupportGap gap, string? workaround = null)
        : base(Sentences.WithWorkaround((gap ?? throw new ArgumentNullException(nameof(gap))).ToString(), workaround))
    {
        Gap = gap;
        Workaround = workaround;
    }

    internal ElicitationUnsupportedException(SupportGap gap, string? workaround, string message)
        : base(message)
    {
        Gap = gap;
        Workaround = workaround;
    }

    /// <summary>Why the host cannot be asked: who it is, what it declared, what is missing.</summary>
    public SupportGap Gap { get; }

    /// <summary>What the user can do instead; null where the author named nothing.</summary>
    public string? Workaround { get; }
}
