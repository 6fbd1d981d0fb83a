using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>The log messages of this package, all in one category.</summary>
internal static partial class Log
{
    public static ILogger CreateLogger(ILoggerFactory? factory) =>
        (factory ?? NullLoggerFactory.Instance).CreateLogger("ElicitDoctor.ModelContextProtocol");

    [LoggerMessage(1, LogLevel.Warning, "The client declared the capability {Capability} as {Value}, which is no object. The server treats it as not declared; the doctor's report has it as it was sent.")]
    public static partial void MalformedCapability(ILogger logger, string capability, string value);

    [LoggerMessage(2, LogLevel.Error, "The doctor could not make its report.")]
    public static partial void ReportFailed(ILogger logger, Exception error);

    [LoggerMessage(3, LogLevel.Debug, "Asking the host, by {Delivery}.")]
    public static partial void Asking(ILogger logger, Delivery delivery);

    [LoggerMessage(4, LogLevel.Information, "The probe of {Mode} mode ended: {Verdict}, answered by {AnsweredBy} after {LatencyMs} ms, diagnosis {Diagnosis}.")]
    public static partial void Probed(ILogger logger, string mode, string? verdict, string? answeredBy, double latencyMs, string? diagnosis);

    [LoggerMessage(5, LogLevel.Information, "No probe of {Mode} mode: {Reason}.")]
    public static partial void NotProbed(ILogger logger, string mode, string? reason);

    [LoggerMessage(6, LogLevel.Warning, "The state of a repeated call is refused ({Status}): {Reason}.")]
    public static partial void StateRefused(ILogger logger, ElicitStatus status, string reason);

    [LoggerMessage(7, LogLevel.Warning, "Whether the page {Url} was opened cannot be told.")]
    public static partial void VisitUnknown(ILogger logger, Exception error, Uri url);

    [LoggerMessage(8, LogLevel.Debug, "The host did not get a notification of progress.")]
    public static partial void ProgressFailed(ILogger logger, Exception error);

    [LoggerMessage(9, LogLevel.Debug, "{Name} asked {Key}: {Outcome}.")]
    public static partial void Asked(ILogger logger, string name, string key, string outcome);

    [LoggerMessage(10, LogLevel.Information, "{Name} could not ask. {Gap}")]
    public static partial void CannotAsk(ILogger logger, string name, SupportGap gap);

    [LoggerMessage(11, LogLevel.Warning, "A question may not be shown as meant ({Severity} at {Path}): {Reason}")]
    public static partial void QuestionFinding(ILogger logger, FindingSeverity severity, string path, string reason);

    [LoggerMessage(12, LogLevel.Warning, "The question of {Name} did not get through.")]
    public static partial void QuestionFailed(ILogger logger, Exception error, string name);

    [LoggerMessage(13, LogLevel.Error, "{Name} asks in a way that no host can be asked.")]
    public static partial void QuestionRefused(ILogger logger, Exception error, string name);
}
