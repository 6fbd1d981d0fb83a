using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>Keeps what the doctor logs.</summary>
internal sealed class RecordingLoggerProvider : ILoggerProvider, ILogger
{
    public ConcurrentQueue<(LogLevel Level, string Message)> Entries { get; } = [];

    public ILogger CreateLogger(string categoryName) => categoryName == "ElicitDoctor.ModelContextProtocol" ? this : NullLogger.Instance;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        Entries.Enqueue((logLevel, formatter(state, exception)));

    public bool IsEnabled(LogLevel logLevel) => true;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public void Dispose()
    {
    }
}
