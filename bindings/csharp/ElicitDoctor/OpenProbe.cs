using System.Diagnostics.CodeAnalysis;
using System.Text;
using ElicitDoctor.Interop;

namespace ElicitDoctor;

/// <summary>
/// One probe between the engine's thread, which calls <see cref="IProbeCallbacks"/>, and the thread pool, where the host's
/// code runs. It keeps its engine alive.
/// </summary>
[SuppressMessage(
    "Design",
    "CA1001",
    Justification = "The source has neither timer nor links to free, and a host may use its token for longer than the probe lasts.")]
internal sealed class OpenProbe : IProbeCallbacks, IThreadPoolWorkItem
{
    private readonly ProbeEngine.Handle _engine;
    private readonly CancellationToken _callersToken;
    private readonly ExecutionContext? _callersContext;
    private readonly TaskCompletionSource<DoctorReport> _report = new(TaskCreationOptions.RunContinuationsAsynchronously);

    private readonly CancellationTokenSource _asked = new();
    private ProbeHost? _host;
    private byte[]? _request;
    private ulong _id;

    internal OpenProbe(ProbeEngine.Handle engine, ProbeHost host, CancellationToken callersToken)
    {
        _engine = engine;
        _host = host;
        _callersToken = callersToken;
        _callersContext = ExecutionContext.Capture();
    }

    internal Task<DoctorReport> Report => _report.Task;

    internal void Start(DoctorReport report, ProbeOptions options)
    {
        using var url = new Utf8Text(options.UrlText);
        using var elicitationId = new Utf8Text(options.ElicitationId ?? (options.Url is null ? "" : Guid.NewGuid().ToString()));
        using Lease lease = report.Borrow();
        using var engine = new Lease(_engine);
        try
        {
            _id = NativeEngine.Start(
                engine.Address, lease.Address, (int)options.Mode, options.TimeoutMs, url.Bytes, elicitationId.Bytes, this);
        }
        catch (ElicitDoctorException e) when (e.Status == ElicitStatus.Shutdown)
        {
            throw Disposed();
        }
    }

    /// <summary>The caller no longer wants the report.</summary>
    internal void Abandon() => Tell(static (engine, id, _) => NativeEngine.Cancel(engine, id), this);

    void IProbeCallbacks.Request(ulong id, ReadOnlySpan<byte> paramsUtf8)
    {
        try
        {
            // Start may not have returned yet, and the answer needs the number.
            _id = id;
            _request = paramsUtf8.ToArray();
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
        catch (Exception e)
        {
            _report.TrySetException(e);
        }
    }

    void IProbeCallbacks.Cancel()
    {
        try
        {
            // What the host registered with its token runs on the thread pool, and what that throws is nobody's to handle.
            _ = _asked.CancelAsync();
        }
        catch (Exception e)
        {
            _report.TrySetException(e);
        }
    }

    void IProbeCallbacks.Done(ElicitStatus status, nint report)
    {
        try
        {
            switch (status)
            {
                case ElicitStatus.Ok:
                    var probed = DoctorReport.FromNative(report);
                    if (!_report.TrySetResult(probed))
                    {
                        probed.Dispose();
                    }

                    break;
                case ElicitStatus.Cancelled:
                    _report.TrySetCanceled(_callersToken);
                    break;
                default:
                    _report.TrySetException(Disposed());
                    break;
            }
        }
        catch (Exception e)
        {
            _report.TrySetException(e);
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        if (_callersContext is null)
        {
            _ = AskAsync();
        }
        else
        {
            ExecutionContext.Run(_callersContext, static probe => _ = ((OpenProbe)probe!).AskAsync(), this);
        }
    }

    private async Task AskAsync()
    {
        // Let go of here, so that an open probe holds on to no more than it needs.
        (ProbeHost host, byte[] request) = (_host!, _request!);
        (_host, _request) = (null, null);
        ReadOnlyMemory<byte> answer;
        try
        {
            answer = await host(request, _asked.Token).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Tell(static (engine, id, e) => Fail(engine, id, e), e);
            return;
        }

        Tell(static (engine, id, answer) => NativeEngine.Reply(engine, id, answer.Span), answer);
    }

    private static void Fail(nint engine, ulong id, Exception exception)
    {
        var byHost = exception as ProbeHostException;
        bool timedOut = byHost?.TimedOut
            ?? (exception is TimeoutException or OperationCanceledException { InnerException: TimeoutException });
        NativeEngine.Fail(engine, id, byHost?.Code ?? 0, timedOut, Encoding.UTF8.GetBytes(MessageOf(exception)));
    }

    private static string MessageOf(Exception exception)
    {
        try
        {
            return exception.Message;
        }
        catch (Exception)
        {
            // The property is virtual, and may have a defect of its own.
            return exception.GetType().FullName!;
        }
    }

    private void Tell<T>(Action<nint, ulong, T> call, T argument)
    {
        try
        {
            using var engine = new Lease(_engine);
            call(engine.Address, _id, argument);
        }
        catch (ObjectDisposedException)
        {
            // The engine has ended, and this probe with it.
        }
        catch (ElicitDoctorException e)
        {
            _report.TrySetException(e);
        }
    }

    private static ObjectDisposedException Disposed() => new(
        nameof(ProbeEngine),
        "The engine was disposed before the probe had an outcome. Dispose it after its last probe, or use ProbeEngine.Shared.");
}
