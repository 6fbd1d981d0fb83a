using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What stands around every tool, prompt and resource: it makes the questions that were asked in there reach the host.</summary>
internal sealed class CallFilters(HandshakeStore handshakes, IOptions<ElicitDoctorOptions> options, ILoggerFactory? loggerFactory = null)
{
    private readonly ILogger _logger = Log.CreateLogger(loggerFactory);

    public static void Add(IMcpRequestFilterBuilder filters) => filters
        .AddCallToolFilter(next => (context, cancellationToken) => Find(context) is { } own
            ? own.AroundToolAsync(context, next, cancellationToken)
            : next(context, cancellationToken))
        .AddGetPromptFilter(next => (context, cancellationToken) => Find(context) is { } own
            ? own.AroundAsync(context, next, cancellationToken)
            : next(context, cancellationToken))
        .AddReadResourceFilter(next => (context, cancellationToken) => Find(context) is { } own
            ? own.AroundAsync(context, next, cancellationToken)
            : next(context, cancellationToken))
        .AddListToolsFilter(next => async (context, cancellationToken) =>
        {
            var result = await next(context, cancellationToken).ConfigureAwait(false);
            Find(context)?.HideTools(context, result);
            return result;
        });

    private static CallFilters? Find(MessageContext context) => context.Server.Services?.GetService<CallFilters>();

    private async ValueTask<CallToolResult> AroundToolAsync(
        RequestContext<CallToolRequestParams> context, McpRequestHandler<CallToolRequestParams, CallToolResult> next, CancellationToken cancellationToken)
    {
        try
        {
            return await RunAsync(context, next, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (IsForTheHost(error, context))
        {
            return ToolText.Error(error.Message);
        }
    }

    private async ValueTask<TResult> AroundAsync<TParams, TResult>(
        RequestContext<TParams> context, McpRequestHandler<TParams, TResult> next, CancellationToken cancellationToken)
    {
        try
        {
            return await RunAsync(context, next, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (IsForTheHost(error, context))
        {
            throw new McpProtocolException(error.Message, error, McpErrorCode.InternalError);
        }
    }

    /// <summary>Runs the code, and ends the call as its questions demand, whatever the code made of their exceptions.</summary>
    private static async ValueTask<TResult> RunAsync<TParams, TResult>(
        RequestContext<TParams> context, McpRequestHandler<TParams, TResult> next, CancellationToken cancellationToken)
    {
        using var call = Call.Begin(context, cancellationToken);
        TResult result;
        try
        {
            result = await next(context, cancellationToken).ConfigureAwait(false);
        }
        catch when (call.MustEnd)
        {
            throw call.EndReason();
        }

        return call.MustEnd ? throw call.EndReason() : result;
    }

    private bool IsForTheHost(Exception error, MessageContext context)
    {
        if (error is ElicitationRequestException)
        {
            Log.QuestionRefused(_logger, error, Call.Of(context).Name);
        }

        return error is ElicitationRequestException or ElicitationUnsupportedException;
    }

    private void HideTools(MessageContext context, ListToolsResult result)
    {
        if (!options.Value.HideToolsWithoutElicitation || context.Server.ServerOptions.ToolCollection is not { } tools)
        {
            return;
        }

        var host = handshakes.Conclude(context);
        result.Tools = [.. result.Tools.Where(listed => !tools.TryGetPrimitive(listed.Name, out var tool)
            || tool.Metadata.OfType<RequiresElicitationAttribute>().All(required => host.CanElicit(required.Mode)))];
    }
}
