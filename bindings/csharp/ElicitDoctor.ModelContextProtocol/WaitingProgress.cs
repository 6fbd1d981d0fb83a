using Microsoft.Extensions.Logging;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Tells a host that wants progress on its call that the doctor waits for an answer.</summary>
internal sealed class WaitingProgress(McpServer server, ProgressToken? progressToken, TimeProvider timeProvider, ILogger logger)
{
    private const string Message = "Waiting for an answer";

    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(5);

    private int _sent;

    /// <summary>Sends a notification before <paramref name="wait"/> begins and every few seconds until it ends, and none after that.</summary>
    public async Task<T> DuringAsync<T>(Func<Task<T>> wait, CancellationToken cancellationToken)
    {
        if (progressToken is not { } token)
        {
            return await wait().ConfigureAwait(false);
        }

        await NotifyAsync(token, Message, cancellationToken).ConfigureAwait(false);
        var timer = new PeriodicTimer(Interval, timeProvider);
        var ticking = TickAsync();
        try
        {
            return await wait().ConfigureAwait(false);
        }
        finally
        {
            timer.Dispose();
            await ticking.ConfigureAwait(false);
        }

        async Task TickAsync()
        {
            var begun = timeProvider.GetTimestamp();
            while (await timer.WaitForNextTickAsync(CancellationToken.None).ConfigureAwait(false))
            {
                await NotifyAsync(token, $"{Message} ({timeProvider.GetElapsedTime(begun).TotalSeconds:0} s)", cancellationToken).ConfigureAwait(false);
            }
        }
    }

    private async Task NotifyAsync(ProgressToken token, string message, CancellationToken cancellationToken)
    {
        try
        {
            // The value has to grow, and nobody knows how much of the wait is over.
            await server.NotifyProgressAsync(token, new() { Progress = ++_sent, Message = message }, cancellationToken: cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            // Without the notification the probe is as good as with it.
            Log.ProgressFailed(logger, error);
        }
    }
}
