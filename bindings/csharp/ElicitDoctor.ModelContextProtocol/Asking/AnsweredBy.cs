namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Who gave an answer, as far as its time tells.</summary>
public enum AnsweredBy
{
    /// <summary>It cannot be told.</summary>
    Unknown = 0,

    /// <summary>The answer took as long as a person takes.</summary>
    Person = 1,

    /// <summary>The answer came sooner than a person can give it: the host is set up to answer by itself.</summary>
    Machine = 2,
}
