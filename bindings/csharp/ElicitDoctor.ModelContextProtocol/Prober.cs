using System.Text.Json;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Asks the host of a call for real, in the way of the call's era.</summary>
internal sealed class Prober
{
    private static readonly TimeSpan VisitPatience = TimeSpan.FromSeconds(10);

    private readonly HandshakeStore _handshakes;
    private readonly ElicitDoctorOptions _options;
    private readonly StateSealer _sealer;
    private readonly TimeProvider _timeProvider;
    private readonly ILogger _logger;

    public Prober(
        HandshakeStore handshakes,
        StateSealers sealers,
        IOptions<ElicitDoctorOptions> options,
        TimeProvider? timeProvider = null,
        ILoggerFactory? loggerFactory = null)
    {
        _handshakes = handshakes;
        _options = options.Value;
        _timeProvider = timeProvider ?? TimeProvider.System;
        _logger = Log.CreateLogger(loggerFactory);
        _sealer = sealers.Lasting(_options.StateLifetime);
    }

    /// <summary>Probes the modes, in this order, and gives the report with what came of it.</summary>
    /// <exception cref="InputRequiredException">The question with which to answer the call; the repeated call goes on from there.</exception>
    /// <exception cref="ElicitDoctorException">The state that came with a repeated call is refused.</exception>
    public Task<DoctorReport> ProbeAsync(
        RequestContext<CallToolRequestParams> call,
        DoctorReport report,
        IEnumerable<ElicitationMode> modes,
        CancellationToken cancellationToken) => report.Delivery == Delivery.InputRequired
            ? ProbeOverTwoCallsAsync(call, report, modes, cancellationToken)
            : ProbeDuringCallAsync(call, report, modes, cancellationToken);

    private async Task<DoctorReport> ProbeDuringCallAsync(
        RequestContext<CallToolRequestParams> call,
        DoctorReport report,
        IEnumerable<ElicitationMode> modes,
        CancellationToken cancellationToken)
    {
        var progress = new WaitingProgress(call.Server, call.Params?.ProgressToken, _timeProvider, _logger);
        var isBlocked = false;
        foreach (var mode in modes)
        {
            if (isBlocked)
            {
                report = report.WithSkippedProbe(mode, "the question before was not answered, and its dialog may block another one");
            }
            else if (!ProbeQuestion.TryMake(_options, mode, NewPageName(mode), out var question, out var reason))
            {
                report = report.WithSkippedProbe(mode, reason);
            }
            else
            {
                var declared = report;
                report = await progress.DuringAsync(
                    () => ProbeEngine.Shared.ProbeAsync(declared, HostOf(call.Server), question.Options, cancellationToken),
                    cancellationToken).ConfigureAwait(false);
                var result = Conclude(call, report, mode);
                isBlocked = result.Action == "timeout";
                report = await AddVisitAsync(report, result, question.Page, cancellationToken).ConfigureAwait(false);
            }
        }

        return report;
    }

    private ProbeHost HostOf(McpServer server) => async (request, cancellationToken) =>
    {
        Log.Asking(_logger, Delivery.Request);
        try
        {
            return await BackChannel.SendAsync(server, request, cancellationToken).ConfigureAwait(false);
        }
        catch (McpProtocolException error)
        {
            throw new ProbeHostException(BackChannel.MessageOf(error), (int)error.ErrorCode, innerException: error);
        }
    };

    private async Task<DoctorReport> ProbeOverTwoCallsAsync(
        RequestContext<CallToolRequestParams> call,
        DoctorReport report,
        IEnumerable<ElicitationMode> modes,
        CancellationToken cancellationToken)
    {
        if (call.Params?.RequestState is { } state)
        {
            try
            {
                (report, var answered) = await ResumeAsync(call, report, state, cancellationToken).ConfigureAwait(false);
                modes = modes.SkipWhile(mode => mode != answered).Skip(1);
            }
            catch (ElicitDoctorException error) when (error.Status == ElicitStatus.NotAnswered)
            {
                // Then this is a first call: everything is asked again.
            }
        }

        foreach (var mode in modes)
        {
            if (!ProbeQuestion.TryMake(_options, mode, NewPageName(mode), out var question, out var reason))
            {
                report = report.WithSkippedProbe(mode, reason);
                continue;
            }

            var step = RoundTrip.Begin(report, question.Options, _sealer, BindingOf(call, question.Name));
            if (step.Asks)
            {
                Log.Asking(_logger, Delivery.InputRequired);
                throw Ask(step.InputRequired, question);
            }

            report = step.Report;
            Conclude(call, report, mode);
        }

        return report;
    }

    private static InputRequiredException Ask(ReadOnlyMemory<byte> inputRequired, ProbeQuestion question)
    {
        var result = JsonSerializer.Deserialize(inputRequired.Span, SdkJson.TypeInfo<InputRequiredResult>())!;
        if (question.Name is not null)
        {
            // Whoever resumes needs the name of the page. The client cannot change it: the state is bound to it.
            result.RequestState = $"{question.Name}.{result.RequestState}";
        }

        return new(result);
    }

    private async Task<(DoctorReport Report, ElicitationMode Answered)> ResumeAsync(
        RequestContext<CallToolRequestParams> call, DoctorReport report, string state, CancellationToken cancellationToken)
    {
        var dot = state.IndexOf('.');
        var (mode, name, sealedState) = dot < 0 ? (ElicitationMode.Form, null, state) : (ElicitationMode.Url, state[..dot], state[(dot + 1)..]);
        var binding = BindingOf(call, name);

        // The author's code shall not see a name that this server did not give.
        _sealer.Open(binding, sealedState);
        if (!ProbeQuestion.TryMake(_options, mode, name, out var question, out var reason))
        {
            return (report.WithSkippedProbe(mode, reason), mode);
        }

        var answers = call.JsonRpcRequest.Params?["inputResponses"];
        var parameters = Verbatim.ToUtf8(writer =>
        {
            writer.WriteStartObject();
            writer.WriteString("requestState", sealedState);
            writer.WritePropertyName("inputResponses");
            Verbatim.Write(writer, answers);
            writer.WriteEndObject();
        });
        report = RoundTrip.Resume(report, question.Options, _sealer, binding, parameters);
        var result = Conclude(call, report, mode);
        return (await AddVisitAsync(report, result, question.Page, cancellationToken).ConfigureAwait(false), mode);
    }

    private StateBinding BindingOf(MessageContext call, string? page) =>
        CallBinding.Of(call, page is null ? _options.ToolName : $"{_options.ToolName} {page}");

    private static string? NewPageName(ElicitationMode mode) => mode == ElicitationMode.Url ? Guid.NewGuid().ToString("N") : null;

    private ProbeResult Conclude(MessageContext call, DoctorReport report, ElicitationMode mode)
    {
        var result = ProbeResult.Of(report, mode);
        if (result.Attempted)
        {
            // A host that opens no pages by itself may still ask by forms; one that agrees to open them by itself agrees to anything.
            if (mode == ElicitationMode.Form || result.Action == "accept")
            {
                _handshakes.ProbesOf(call).Keep(mode, result.AnsweredBy switch
                {
                    "machine" => AnsweredBy.Machine,
                    "person" => AnsweredBy.Person,
                    _ => AnsweredBy.Unknown,
                });
            }

            ElicitDoctorTelemetry.Record(result, ended: _timeProvider.GetUtcNow());
            Log.Probed(_logger, result.Mode, result.Verdict, result.AnsweredBy, result.Latency.TotalMilliseconds, result.Diagnosis);
        }
        else
        {
            Log.NotProbed(_logger, result.Mode, result.Reason);
        }

        return result;
    }

    private async Task<DoctorReport> AddVisitAsync(DoctorReport report, ProbeResult result, ProbePage? page, CancellationToken cancellationToken)
    {
        if (page?.Visited is not { } waitForVisit || result.Action != "accept")
        {
            return report;
        }

        using var patience = new CancellationTokenSource(VisitPatience, _timeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellationToken);
        bool? visited;
        try
        {
            visited = await waitForVisit(either.Token).WaitAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
            visited = false;
        }
        catch (Exception error) when (!cancellationToken.IsCancellationRequested)
        {
            Log.VisitUnknown(_logger, error, page.Url);
            visited = null;
        }

        return report.WithVisit(visited);
    }
}
