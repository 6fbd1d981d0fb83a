namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Marks a tool that is of no use on a host that cannot be asked.</summary>
/// <remarks>
/// With <see cref="ElicitDoctorOptions.HideToolsWithoutElicitation"/> such a host does not find it in <c>tools/list</c>. Hidden is not
/// locked: a call of it still runs, so the tool asks as if it were never hidden.
/// </remarks>
/// <param name="mode">The mode in which the tool asks.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class RequiresElicitationAttribute(ElicitationMode mode = ElicitationMode.Form) : Attribute
{
    /// <summary>The mode in which the tool asks.</summary>
    public ElicitationMode Mode { get; } = mode;
}
