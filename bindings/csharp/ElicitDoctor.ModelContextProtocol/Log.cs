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
}
