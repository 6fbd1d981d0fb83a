namespace ElicitDoctor;

/// <summary>The two ways to elicit; the specification distinguishes them since 2025-11-25.</summary>
public enum ElicitationMode
{
    /// <summary>The host shows a form made from a flat JSON Schema and returns what the user filled in.</summary>
    Form = 1,

    /// <summary>The host offers the user a URL to open; what happens there does not pass through the host.</summary>
    Url = 2,
}
