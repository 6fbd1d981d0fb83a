using System.Text.Json;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Asks a tool's questions, in the way of the call's era.</summary>
internal sealed class Asker(
    HandshakeStore handshakes,
    StateSealers sealers,
    IOptions<ElicitDoctorOptions> options,
    TimeProvider? timeProvider = null,
    ILoggerFactory? loggerFactory = null)
{
    private const string MethodNotAsking = "Under its revision only a tool, a prompt or a resource can ask.";

    private readonly TimeProvider _timeProvider = timeProvider ?? TimeProvider.System;
    private readonly ILogger _logger = Log.CreateLogger(loggerFactory);

    public ElicitDoctorOptions Options => options.Value;

    /// <exception cref="InputRequiredException">The call has to be answered with the question, on 2026-07-28.</exception>
    /// <exception cref="McpProtocolException">The state of a repeated call is refused.</exception>
    /// <exception cref="ElicitationRequestException">The question must not be asked like this.</exception>
    /// <exception cref="ElicitationUnsupportedException">The host cannot be asked, and the policy for the tool is to end the call.</exception>
    public async Task<ElicitationOutcome<HostAnswer>> AskAsync(Call call, Question question, CancellationToken cancellationToken)
    {
        var host = handshakes.Conclude(call.Context);
        if (!host.CanElicit(question.Mode))
        {
            return Unsupported<HostAnswer>(call, question, host.Gap(question.Mode));
        }

        if (host.Delivery == Delivery.InputRequired && !call.CanRequireInput)
        {
            return Unsupported<HostAnswer>(call, question, host.Gap(question.Mode, MethodNotAsking));
        }

        using var report = host.Report();
        var parameters = question.ParamsFor(host);
        Check(report, parameters);
        if (!host.HasModes && HasLists(parameters))
        {
            return Unsupported<HostAnswer>(
                call, question, host.Gap(question.Mode, $"The form has a list, which can be answered since 2025-11-25, and the session speaks {host.Revision}."));
        }

        var fingerprint = question.FingerprintOf(parameters);
        var key = call.Claim(question.Options.Key);
        var outcome = host.Delivery == Delivery.Request
            ? await AskDuringCallAsync(call, question, report, parameters, cancellationToken).ConfigureAwait(false)
            : AskBetweenCalls(call, question, report, parameters, key, fingerprint);
        Log.Asked(_logger, call.Name, key, outcome.GetType().Name);
        return outcome;
    }

    /// <summary>Whether a person's yes was seen to be worth nothing on this host, and what to say then.</summary>
    public ElicitationOutcome<T>? RefuseConsent<T>(Call call, Question question) =>
        handshakes.ProbesOf(call.Context).IsMachine
            ? Unsupported<T>(call, question, GapOf(call, "A probe in this session found that it answers by itself, so that its yes is nobody's."))
            : null;

    /// <summary>The same for a yes that came sooner than a person can give it. A negative time is that of two clocks that disagree, and tells nothing.</summary>
    public ElicitationOutcome<T>? RefuseConsent<T>(Call call, Question question, TimeSpan latency) =>
        latency >= TimeSpan.Zero && latency < Options.ShortestConfirmation
            ? Unsupported<T>(call, question, GapOf(call, $"It said yes after {Sentences.Of(latency)}, sooner than a person can, so that its yes is nobody's (ElicitDoctorOptions.ShortestConfirmation)."))
            : null;

    private SupportGap GapOf(Call call, string missing) => handshakes.Conclude(call.Context).Gap(ElicitationMode.Form, missing);

    /// <summary>What the policy for the tool makes of a host that cannot be asked.</summary>
    private ElicitationOutcome<T>.Unsupported Unsupported<T>(Call call, Question question, SupportGap gap)
    {
        Log.CannotAsk(_logger, call.Name, gap);
        var policy = call.IsToolCall && Options.OnUnsupportedByTool.TryGetValue(call.Name, out var own) ? own : Options.OnUnsupported;
        if (policy == UnsupportedPolicy.Skip || question.Options.AlwaysSkips)
        {
            return new(gap);
        }

        var workaround = question.Options.Workaround;
        var message = Sentences.WithWorkaround(gap.ToString(), workaround);
        if (policy == UnsupportedPolicy.AskAgainWithArguments)
        {
            message = $"{message} {AskAgain.Sentence(call, question.ParamsFor(handshakes.Conclude(call.Context)))}";
        }

        throw call.End(new ElicitationUnsupportedException(gap, workaround, message));
    }

    private static bool HasLists(byte[] parameters) =>
        Verbatim.Find(JsonElement.Parse(parameters), ["requestedSchema", "properties"]) is { } fields
        && fields.EnumerateObject().Any(field => Verbatim.Find(field.Value, ["type"]) is { ValueKind: JsonValueKind.String } type && type.ValueEquals("array"));

    private void Check(DoctorReport report, byte[] parameters)
    {
        IReadOnlyList<Finding> findings;
        try
        {
            findings = Doctor.CheckRequest(report, parameters);
        }
        catch (ElicitDoctorException error) when (error is not NativeLibraryException)
        {
            throw new ElicitationRequestException($"The question cannot be read: {error.Message}", error);
        }

        List<Finding> errors = [.. findings.Where(finding => finding.Severity == FindingSeverity.Error)];
        if (errors.Count > 0)
        {
            throw new ElicitationRequestException(errors);
        }

        foreach (var finding in findings)
        {
            Log.QuestionFinding(_logger, finding.Severity, finding.Path, finding.Message);
        }
    }

    private async Task<ElicitationOutcome<HostAnswer>> AskDuringCallAsync(
        Call call, Question question, DoctorReport report, byte[] parameters, CancellationToken cancellationToken)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(call.Ended, cancellationToken);
        await call.Turn.WaitAsync(end.Token).ConfigureAwait(false);
        try
        {
            var patience = question.Options.Timeout ?? Options.QuestionTimeout;
            using var timeout = new CancellationTokenSource(patience, _timeProvider);
            using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, end.Token);
            Task<byte[]> SendAsync() => BackChannel.SendAsync(call.Context.Server, parameters, either.Token);
            var begun = _timeProvider.GetTimestamp();
            try
            {
                call.Progress ??= new(call.Context.Server, call.ProgressToken, _timeProvider, _logger);
                var answering = question.Options.SendProgress ? call.Progress.DuringAsync(SendAsync, either.Token) : SendAsync();
                var result = await answering.ConfigureAwait(false);
                return Judge(report, parameters, result, _timeProvider.GetElapsedTime(begun));
            }
            catch (OperationCanceledException) when (end.IsCancellationRequested)
            {
                throw;
            }
            catch (OperationCanceledException) when (timeout.IsCancellationRequested)
            {
                return new ElicitationOutcome<HostAnswer>.TimedOut(patience);
            }
            catch (McpProtocolException error)
            {
                return new ElicitationOutcome<HostAnswer>.Failed(
                    $"The host answered with the error {(int)error.ErrorCode}: {BackChannel.MessageOf(error)}", (int)error.ErrorCode);
            }
            catch (Exception error) when (error is not NativeLibraryException)
            {
                Log.QuestionFailed(_logger, error, call.Name);
                return new ElicitationOutcome<HostAnswer>.Failed($"The question did not get through: {error.Message}");
            }
        }
        finally
        {
            call.Turn.Release();
        }
    }

    private ElicitationOutcome<HostAnswer> AskBetweenCalls(
        Call call, Question question, DoctorReport report, byte[] parameters, string key, string fingerprint)
    {
        var rounds = OpenRounds(call);
        if (rounds.TryGetAnswer(key, fingerprint, out var answer))
        {
            var outcome = Judge(
                report, parameters, JsonSerializer.SerializeToUtf8Bytes(answer.Result, SdkJson.TypeInfo<JsonElement>()), TimeSpan.FromMilliseconds(answer.LatencyMs));
            return answer.Question.Url is { } url ? outcome.Select(given => new ElicitationOutcome<HostAnswer>.Accepted(given with { Url = url })) : outcome;
        }

        if (rounds.WereAllAsked)
        {
            return new ElicitationOutcome<HostAnswer>.Failed(
                $"The call asked in {Rounds.Most} rounds already, and clients follow no more. Ask questions together, and the same ones in every round.");
        }

        var shown = question.Mode == ElicitationMode.Url ? JsonElement.Parse(parameters).GetProperty("url"u8).GetString() : null;
        rounds.Ask(key, new(fingerprint, shown), parameters, question.Options.Timeout ?? Options.QuestionTimeout);
        throw rounds.InputRequired();
    }

    private Rounds OpenRounds(Call call)
    {
        try
        {
            return call.OpenRounds(opened => Rounds.Open(opened, sealers, _timeProvider));
        }
        catch (Exception error) when (error is ElicitDoctorException { Status: >= ElicitStatus.StateMalformed and <= ElicitStatus.StateOtherArguments } or JsonException)
        {
            var status = (error as ElicitDoctorException)?.Status ?? ElicitStatus.StateMalformed;
            Log.StateRefused(_logger, status, error.Message);
            throw call.End(new McpProtocolException(
                $"The answer cannot be taken: {error.Message}. Make the call again without requestState, and the user is asked anew.", McpErrorCode.InvalidParams));
        }
    }

    /// <summary>What an answer is, checked against the question as it was sent.</summary>
    private static ElicitationOutcome<HostAnswer> Judge(DoctorReport report, byte[] parameters, byte[] result, TimeSpan latency)
    {
        try
        {
            // Within a response: of a bare result with the members of one, the check would take another answer than the one read here.
            byte[] response = [.. """{"jsonrpc":"2.0","result":"""u8, .. result, (byte)'}'];
            var errors = Doctor.CheckAnswer(report, parameters, response).Where(finding => finding.Severity == FindingSeverity.Error).ToList();
            if (errors.Count > 0)
            {
                return new ElicitationOutcome<HostAnswer>.Failed(Sentences.List(errors));
            }

            var answer = JsonElement.Parse(result);
            return answer.GetProperty("action"u8).GetString() switch
            {
                "accept" => new ElicitationOutcome<HostAnswer>.Accepted(HostAnswer.Of(JsonElement.Parse(parameters), answer, latency)),
                "decline" => new ElicitationOutcome<HostAnswer>.Declined(WhoRefused(latency)),
                _ => new ElicitationOutcome<HostAnswer>.Cancelled(WhoRefused(latency)),
            };
        }
        catch (Exception error) when (error is (ElicitDoctorException and not NativeLibraryException) or JsonException or InvalidOperationException)
        {
            return new ElicitationOutcome<HostAnswer>.Failed($"The answer cannot be read: {error.Message}");
        }
    }

    private static AnsweredBy WhoRefused(TimeSpan latency)
    {
        if (latency < TimeSpan.Zero)
        {
            // The clocks of two instances disagree, so that time tells nothing.
            return AnsweredBy.Unknown;
        }

        return Doctor.Classify(ElicitationAction.Decline, latency) == Verdict.AdvertisedButAutocanceled ? AnsweredBy.Machine : AnsweredBy.Person;
    }
}
