namespace ElicitDoctor.Interop;

/// <summary>
/// What an engine tells of one probe, in this order and on its own thread. Nobody may run code of the host here, wait or
/// throw: the engine has other probes to serve.
/// </summary>
internal interface IProbeCallbacks
{
    /// <summary>Send this to the host: UTF-8 JSON that is readable during the call only.</summary>
    void Request(ulong id, ReadOnlySpan<byte> paramsUtf8);

    /// <summary>What was sent no longer matters.</summary>
    void Cancel();

    /// <summary>
    /// The probe has ended; comes once and last. The report belongs to the callee, and is 0 unless the status is success.
    /// </summary>
    void Done(ElicitDoctor.ElicitStatus status, nint report);
}
