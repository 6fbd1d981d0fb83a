namespace ElicitDoctor;

/// <summary>Sends a question to the host and waits for its answer: the way from a probe to the wire and back.</summary>
/// <remarks>
/// <para>
/// It runs on the thread pool, with the execution context of the caller of
/// <see cref="ProbeEngine.ProbeAsync"/>, and may take as long as it likes: when the probe has ended without it, what it
/// still returns or throws is ignored.
/// </para>
/// <para>
/// An exception ends the probe as the host's failure, with its message as the reason in the report: throw
/// <see cref="ProbeHostException"/> for a JSON-RPC error of the host, or where your SDK has its own way to say that no
/// answer came. A <see cref="TimeoutException"/>, also as the cause of an <see cref="OperationCanceledException"/>,
/// counts as a time-out.
/// </para>
/// </remarks>
/// <param name="request">The parameters of <c>elicitation/create</c> as UTF-8 JSON. The memory belongs to the delegate.</param>
/// <param name="cancellationToken">Cancelled when the answer no longer matters: the probe timed out, its caller cancelled
/// it, or its engine was disposed. Pass it on, so that the host can take the question off the screen.</param>
/// <returns>
/// The result of <c>elicitation/create</c> as UTF-8 JSON, or the whole JSON-RPC response. Anything else, no JSON even, is
/// an answer too: the report then says what is wrong with it.
/// </returns>
public delegate ValueTask<ReadOnlyMemory<byte>> ProbeHost(ReadOnlyMemory<byte> request, CancellationToken cancellationToken);
