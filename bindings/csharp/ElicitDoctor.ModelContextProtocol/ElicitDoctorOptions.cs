namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Settings of <see cref="Microsoft.Extensions.DependencyInjection.ElicitDoctorBuilderExtensions.WithElicitDoctor"/>.</summary>
public sealed class ElicitDoctorOptions
{
    /// <summary>
    /// The name under which hosts see the doctor's tool. <c>elicit_doctor</c> unless set; another name serves a server
    /// whose tools share a prefix.
    /// </summary>
    /// <exception cref="ArgumentException">The value is null, empty or white space.</exception>
    public string ToolName
    {
        get;
        set
        {
            ArgumentException.ThrowIfNullOrWhiteSpace(value);
            field = value;
        }
    } = "elicit_doctor";
}
