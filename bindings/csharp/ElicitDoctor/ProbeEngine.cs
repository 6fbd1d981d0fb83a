using System.Runtime.InteropServices;
using ElicitDoctor.Interop;

namespace ElicitDoctor;

/// <summary>Asks hosts for real and reports what happened: a declared ability and a working one are two things.</summary>
/// <remarks>
/// <para>
/// An engine is one thread of the native library, which waits for answers and deadlines; no thread of the pool is blocked
/// while a probe is open, however many are. All members may be called from any thread at any time.
/// </para>
/// <para>
/// <see cref="Shared"/> is enough for most. An engine of one's own has its own limit of open probes and can be ended
/// with them. An engine that nobody disposes ends its thread when it is collected, which open probes prevent.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using DoctorReport probed = await ProbeEngine.Shared.ProbeAsync(report, SendToHostAsync);
/// </code>
/// </example>
public sealed class ProbeEngine : IAsyncDisposable
{
    private readonly Handle _handle;
    private readonly Lazy<Task> _end;

    /// <summary>Starts an engine.</summary>
    /// <param name="options">How it is made; null for the defaults.</param>
    /// <exception cref="ElicitDoctorException">The system gives no thread or no timer (<see cref="ElicitStatus.System"/>).</exception>
    /// <exception cref="NativeLibraryException">The native library is missing or does not fit.</exception>
    public ProbeEngine(ProbeEngineOptions? options = null)
        : this(new Handle(NativeEngine.New((uint)(options ?? new()).MaxOpenProbes)))
    {
    }

    private ProbeEngine(Handle handle)
    {
        _handle = handle;
        // A thread of its own waits for the engine's: that one may have thousands of probes to end first, and the pool's
        // threads have better things to do meanwhile.
        _end = new Lazy<Task>(() => Task.Factory.StartNew(
            End,
            CancellationToken.None,
            TaskCreationOptions.LongRunning | TaskCreationOptions.RunContinuationsAsynchronously,
            TaskScheduler.Default));
    }

    /// <summary>The engine of the process, which starts with its first probe. To dispose it does nothing.</summary>
    public static ProbeEngine Shared { get; } = new(new Handle(engine: 0));

    /// <summary>How many probes are open: started, and without an outcome. 0 once the engine is disposed.</summary>
    /// <exception cref="NativeLibraryException">The native library is missing or does not fit.</exception>
    public int OpenProbes
    {
        get
        {
            try
            {
                using var lease = new Lease(_handle);
                return NativeEngine.OpenProbes(lease.Address);
            }
            catch (ObjectDisposedException)
            {
                return 0;
            }
        }
    }

    /// <summary>Asks the report's host one question and gives the report with what came of it.</summary>
    /// <remarks>
    /// <para>
    /// What the host does is an outcome and no exception: an answer of any kind, an error, an exception of
    /// <paramref name="host"/>, no answer at all. A host that must not be asked (it did not declare the mode, or the
    /// server has no way to ask) is not, and the report says why.
    /// </para>
    /// <para>
    /// Every failure comes through the task. The task ends on the thread pool, and its continuations run there. To wait
    /// for it by blocking is possible and takes a thread, as always.
    /// </para>
    /// </remarks>
    /// <param name="report">The report on the host; it may be disposed as soon as this method has returned.</param>
    /// <param name="host">Sends the question and gives the answer; called at most once.</param>
    /// <param name="options">What to ask and how long to wait; null for a form and 40 seconds.</param>
    /// <param name="cancellationToken">Ends the probe without a report.</param>
    /// <returns>A new report, with <c>probes.elicitationForm</c> or <c>probes.elicitationUrl</c>; the given one stays as it is.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="report"/> or <paramref name="host"/> is null.</exception>
    /// <exception cref="ElicitDoctorException">
    /// The engine has as many open probes as it may (<see cref="ElicitStatus.Full"/>), or the options name no page for a
    /// URL probe or no mode (<see cref="ElicitStatus.InvalidArgument"/>).
    /// </exception>
    /// <exception cref="ObjectDisposedException">The engine was disposed, also while the probe was open; or the report was.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> was cancelled before there was an outcome.</exception>
    /// <exception cref="NativeLibraryException">The native library is missing or does not fit.</exception>
    public async Task<DoctorReport> ProbeAsync(
        DoctorReport report,
        ProbeHost host,
        ProbeOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(report);
        ArgumentNullException.ThrowIfNull(host);
        cancellationToken.ThrowIfCancellationRequested();

        var probe = new OpenProbe(_handle, host, cancellationToken);
        probe.Start(report, options ?? new ProbeOptions());
        using (cancellationToken.UnsafeRegister(static probe => ((OpenProbe)probe!).Abandon(), probe))
        {
            return await probe.Report.ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Ends the engine: open probes end with <see cref="ObjectDisposedException"/>, the tokens of their hosts are
    /// cancelled, and none can be started. May be called from anywhere, a <see cref="ProbeHost"/> included, and again.
    /// </summary>
    /// <returns>Completes when the engine's thread is gone.</returns>
    public ValueTask DisposeAsync() => _handle.IsInvalid ? ValueTask.CompletedTask : new ValueTask(_end.Value);

    private void End()
    {
        using (var lease = new Lease(_handle))
        {
            NativeEngine.ShutDown(lease.Address);
        }

        _handle.Dispose();
    }

    /// <summary>A native engine; 0, which nobody owns, is that of the process.</summary>
    internal sealed class Handle : SafeHandle
    {
        internal Handle(nint engine)
            : base(invalidHandleValue: 0, ownsHandle: true)
        {
            SetHandle(engine);
        }

        public override bool IsInvalid => handle == 0;

        protected override bool ReleaseHandle()
        {
            NativeEngine.Free(handle);
            return true;
        }
    }
}
