namespace ElicitDoctor.Interop;

/// <summary>The native functions of sealed state and of the probe over two requests.</summary>
internal static unsafe class NativeState
{
    // SAFETY of the four below: the pinned texts and the options are read during the call only, the results are locals of
    // the frame, and the caller keeps `report` alive.
    internal static byte[] Seal(in StateTerms terms, ReadOnlySpan<byte> payload)
    {
        NativeLibraryLoader.ThrowIfUnusable();
        ElicitBuffer* state = null;
        ElicitError* error = null;
        fixed (byte* keys = terms.Keys, principal = terms.Principal, tool = terms.Tool, arguments = terms.Arguments, text = payload)
        {
            ElicitStateOptions options = Options(terms, keys, principal, tool, arguments);
            NativeError.ThrowIfFailed(
                NativeMethods.elicit_state_seal(&options, NativeText.Lend(text, payload.Length), &state, &error), error);
        }

        return NativeBuffer.Take(state);
    }

    internal static byte[] Open(in StateTerms terms, ReadOnlySpan<byte> state)
    {
        NativeLibraryLoader.ThrowIfUnusable();
        ElicitBuffer* payload = null;
        ElicitError* error = null;
        fixed (byte* keys = terms.Keys, principal = terms.Principal, tool = terms.Tool, arguments = terms.Arguments, text = state)
        {
            ElicitStateOptions options = Options(terms, keys, principal, tool, arguments);
            NativeError.ThrowIfFailed(
                NativeMethods.elicit_state_open(&options, NativeText.Lend(text, state.Length), &payload, &error), error);
        }

        return NativeBuffer.Take(payload);
    }

    /// <summary>Gives either the result with which to answer the call, or the report that says why the host is not asked.</summary>
    internal static (byte[]? ResultUtf8, nint Skipped) Begin(
        nint report, int mode, ReadOnlySpan<byte> url, in StateTerms terms)
    {
        ElicitBuffer* result = null;
        ElicitReport* skipped = null;
        ElicitError* error = null;
        fixed (byte* keys = terms.Keys, principal = terms.Principal, tool = terms.Tool, arguments = terms.Arguments, page = url)
        {
            ElicitStateOptions state = Options(terms, keys, principal, tool, arguments);
            ElicitRoundTripOptions options = Options(mode, page, url.Length, &state);
            NativeError.ThrowIfFailed(
                NativeMethods.elicit_round_trip_begin((ElicitReport*)report, &options, &result, &skipped, &error), error);
        }

        return skipped is null ? (NativeBuffer.Take(result), 0) : (null, (nint)skipped);
    }

    internal static nint Resume(
        nint report, int mode, ReadOnlySpan<byte> url, in StateTerms terms, ReadOnlySpan<byte> paramsUtf8)
    {
        ElicitReport* probed = null;
        ElicitError* error = null;
        fixed (byte* keys = terms.Keys, principal = terms.Principal, tool = terms.Tool, arguments = terms.Arguments, page = url)
        fixed (byte* text = paramsUtf8)
        {
            ElicitStateOptions state = Options(terms, keys, principal, tool, arguments);
            ElicitRoundTripOptions options = Options(mode, page, url.Length, &state);
            NativeError.ThrowIfFailed(
                NativeMethods.elicit_round_trip_resume(
                    (ElicitReport*)report, &options, NativeText.Lend(text, paramsUtf8.Length), &probed, &error),
                error);
        }

        return (nint)probed;
    }

    private static ElicitStateOptions Options(in StateTerms terms, byte* keys, byte* principal, byte* tool, byte* arguments) => new()
    {
        struct_size = (uint)sizeof(ElicitStateOptions),
        key_count = (uint)(terms.Keys.Length / StateTerms.KeyLength),
        keys = keys,
        principal = NativeText.Lend(principal, terms.Principal.Length),
        tool = NativeText.Lend(tool, terms.Tool.Length),
        arguments_json = NativeText.Lend(arguments, terms.Arguments.Length),
        lifetime_ms = terms.LifetimeMs,
        now_ms = terms.NowMs,
    };

    private static ElicitRoundTripOptions Options(int mode, byte* url, int urlLength, ElicitStateOptions* state) => new()
    {
        struct_size = (uint)sizeof(ElicitRoundTripOptions),
        mode = mode,
        url = NativeText.Lend(url, urlLength),
        state = state,
    };
}

/// <summary>With what a state is sealed, and what it is bound to; the texts are UTF-8.</summary>
internal readonly ref struct StateTerms
{
    internal const int KeyLength = 32;

    internal required ReadOnlySpan<byte> Keys { get; init; }

    internal required ReadOnlySpan<byte> Principal { get; init; }

    internal required ReadOnlySpan<byte> Tool { get; init; }

    internal required ReadOnlySpan<byte> Arguments { get; init; }

    internal required ulong LifetimeMs { get; init; }

    internal required ulong NowMs { get; init; }
}
