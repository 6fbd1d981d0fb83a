namespace ElicitDoctor.Interop;

/// <summary>
/// The native functions of an engine. An engine is a number here, 0 the default engine; callers pass only numbers that
/// <see cref="New"/> returned and that are not freed.
/// </summary>
internal static unsafe class NativeEngine
{
    internal static nint New(uint maxOpenProbes)
    {
        NativeLibraryLoader.ThrowIfUnusable();
        var options = new ElicitEngineOptions { struct_size = (uint)sizeof(ElicitEngineOptions), max_open_probes = maxOpenProbes };
        ElicitEngine* engine = null;
        ElicitError* error = null;
        // SAFETY: the options and both results are locals of this frame.
        NativeError.ThrowIfFailed(NativeMethods.elicit_engine_new(&options, &engine, &error), error);
        return (nint)engine;
    }

    internal static int OpenProbes(nint engine)
    {
        NativeLibraryLoader.ThrowIfUnusable();
        // SAFETY: the caller keeps `engine` alive, in every function below.
        return checked((int)NativeMethods.elicit_engine_open_probes((ElicitEngine*)engine));
    }

    /// <summary>Waits until the engine's thread is gone, so it must not be called on that thread.</summary>
    internal static void ShutDown(nint engine)
    {
        ElicitError* error = null;
        NativeError.ThrowIfFailed(NativeMethods.elicit_engine_shutdown((ElicitEngine*)engine, &error), error);
    }

    internal static void Free(nint engine)
    {
        // SAFETY: the handle calls this once, when nothing uses the engine any more.
        NativeMethods.elicit_engine_free((ElicitEngine*)engine);
    }

    /// <summary>Starts a probe. Unless this throws, <paramref name="probe"/> hears of its end exactly once.</summary>
    internal static ulong Start(
        nint engine,
        nint report,
        int mode,
        ulong timeoutMs,
        ReadOnlySpan<byte> url,
        ReadOnlySpan<byte> elicitationId,
        IProbeCallbacks probe)
    {
        NativeLibraryLoader.ThrowIfUnusable();
        ulong id = 0;
        ElicitError* error = null;
        nint handle = ProbeCallbacks.Root(probe);
        try
        {
            // SAFETY: the pinned texts are read during the call only; the caller keeps `report` alive for the call; the
            // functions are static, and `user_data` is a GCHandle, which the last of them frees.
            fixed (byte* urlText = url, idText = elicitationId)
            {
                var options = new ElicitProbeOptions
                {
                    struct_size = (uint)sizeof(ElicitProbeOptions),
                    mode = mode,
                    timeout_ms = timeoutMs,
                    url = NativeText.Lend(urlText, url.Length),
                    elicitation_id = NativeText.Lend(idText, elicitationId.Length),
                    on_request = &ProbeCallbacks.OnRequest,
                    on_cancel = &ProbeCallbacks.OnCancel,
                    on_done = &ProbeCallbacks.OnDone,
                    user_data = (void*)handle,
                };
                NativeError.ThrowIfFailed(
                    NativeMethods.elicit_probe_start((ElicitEngine*)engine, (ElicitReport*)report, &options, &id, &error),
                    error);
            }
        }
        catch
        {
            // A probe that did not start calls nobody back.
            ProbeCallbacks.Unroot(handle);
            throw;
        }

        return id;
    }

    /// <summary>Hands in the host's answer; one to a probe that has ended changes nothing.</summary>
    internal static void Reply(nint engine, ulong id, ReadOnlySpan<byte> result)
    {
        ElicitError* error = null;
        // SAFETY: the pinned text is read during the call only.
        fixed (byte* text = result)
        {
            NativeError.ThrowIfFailed(
                NativeMethods.elicit_probe_reply((ElicitEngine*)engine, id, NativeText.Lend(text, result.Length), &error),
                error,
                except: ElicitStatus.NotFound);
        }
    }

    /// <summary>Hands in the host's failure; one of a probe that has ended changes nothing.</summary>
    internal static void Fail(nint engine, ulong id, int code, bool timedOut, ReadOnlySpan<byte> message)
    {
        ElicitError* error = null;
        // SAFETY: as in Reply.
        fixed (byte* text = message)
        {
            NativeError.ThrowIfFailed(
                NativeMethods.elicit_probe_fail(
                    (ElicitEngine*)engine, id, code, timedOut ? (byte)1 : (byte)0, NativeText.Lend(text, message.Length), &error),
                error,
                except: ElicitStatus.NotFound);
        }
    }

    /// <summary>Ends a probe without a result; for one that has ended it does nothing.</summary>
    internal static void Cancel(nint engine, ulong id)
    {
        ElicitError* error = null;
        NativeError.ThrowIfFailed(
            NativeMethods.elicit_probe_cancel((ElicitEngine*)engine, id, &error), error, except: ElicitStatus.NotFound);
    }
}
