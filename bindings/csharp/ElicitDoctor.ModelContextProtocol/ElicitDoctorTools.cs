namespace ElicitDoctor.ModelContextProtocol;

/// <summary>The tools that <c>WithElicitDoctor</c> adds to the server.</summary>
[Flags]
public enum ElicitDoctorTools
{
    /// <summary>None: the server only gets the calls for its own tools.</summary>
    None = 0,

    /// <summary><c>elicit_doctor</c>: the report on the host that calls it.</summary>
    Doctor = 1,

    /// <summary><c>elicit_confirm</c>: lets the model ask the user for a yes or a no.</summary>
    Confirm = 2,

    /// <summary><c>elicit_form</c>: lets the model ask the user to fill in a form.</summary>
    Form = 4,

    /// <summary>All of them.</summary>
    All = Doctor | Confirm | Form,
}
