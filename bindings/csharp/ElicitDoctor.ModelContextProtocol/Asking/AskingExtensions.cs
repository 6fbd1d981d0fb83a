using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

// The overloads are told apart by the types of their first parameters.
#pragma warning disable RS0026

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Asks the user, by one call in both eras of the protocol and on every transport, and checks what comes back.</summary>
/// <remarks>
/// <para>
/// <b>On 2026-07-28 the code before a question runs again.</b> There no call is open while the user thinks: the question leaves the tool as an
/// exception (<see cref="InputRequiredException"/>), the host asks, and repeats the call; the tool then runs from its beginning, and the
/// question gives its answer. So put everything that has an effect behind the last question, and let that exception pass: a <c>catch</c> around
/// a question does no harm, because the filter of <c>WithElicitDoctor</c> throws it again, but what the tool does after it is done for
/// nothing. In the initialize era the question is sent while the call is open, and nothing runs twice.
/// </para>
/// <para>
/// Several questions in one tool work: one after the other, or started together and awaited with <c>Task.WhenAll</c>, which on 2026-07-28 asks
/// them in one round. A call may take ten rounds there. Answers come back under <see cref="ElicitOptions.Key"/>, or under the order of the
/// questions. A question whose message or form changed since it was asked, one without its answer, and an answer that was not asked for, are
/// asked again. A state that was changed, that belongs to another tool, other arguments or somebody else, or that is too old, ends the call
/// with the JSON-RPC error -32602. In a prompt the SDK logs the question as an unhandled exception; that is harmless.
/// </para>
/// <para>
/// A client of 2026-07-28 can hand in the same answer again until the question's time is over, and the tool runs again with it: let what
/// comes behind a question be harmless the second time, or remember that it was done. A tool that throws an
/// <see cref="InputRequiredException"/> of its own there has a state of its own, which is none for these calls: do the one or the other.
/// </para>
/// <para>
/// What a host may do is an outcome. Exceptions are for authors: <see cref="ElicitationRequestException"/> for a question that no host may be
/// asked (found before anything is sent), <see cref="ElicitationUnsupportedException"/> only where <see cref="UnsupportedPolicy"/> wants it,
/// <see cref="OperationCanceledException"/> for the token, <see cref="InvalidOperationException"/> where <c>WithElicitDoctor</c> is missing.
/// </para>
/// <para>All members may be called from any thread, during a request of the client: on its context, or on its server within a tool, a prompt or a resource.</para>
/// </remarks>
public static class AskingExtensions
{
    /// <summary>Asks the user to fill in a form with the members of <typeparamref name="T"/>.</summary>
    /// <remarks>
    /// Each member that can be set is a field: a string, a number, a boolean, a date (<see cref="DateOnly"/>, <see cref="DateTime"/>,
    /// <see cref="DateTimeOffset"/>), a <see cref="Uri"/>, an enum, or a list of an enum. <c>[Description]</c>, <c>[DisplayName]</c>, <c>[Display]</c>,
    /// <c>[Range]</c>, <c>[StringLength]</c>, <c>[EmailAddress]</c> and <c>[Url]</c> on a member, and <c>[Display(Name = …)]</c> or
    /// <c>[Description]</c> on the values of an enum, shape it. Nullable members, and those with a default (of a parameter, or by
    /// <c>[DefaultValue]</c>; an initializer is not seen), may be left out; all others must be answered. Members that were not asked for do
    /// not reach <typeparamref name="T"/>. Without reflection (NativeAOT) use the overload with a <c>JsonTypeInfo</c>.
    /// </remarks>
    /// <typeparam name="T">A record or class.</typeparam>
    /// <param name="context">The request of the client.</param>
    /// <param name="message">What the user reads above the form.</param>
    /// <param name="options">Key, time-out and more; null for the defaults.</param>
    /// <param name="cancellationToken">Ends the wait; the host is told to take the question back. The end of the call does the same.</param>
    /// <returns>What came of it; a value only if one was given that fits the form.</returns>
    /// <exception cref="InputRequiredException">On 2026-07-28, to ask: let it pass.</exception>
    /// <exception cref="ElicitationRequestException">A member cannot be asked for (the message names it and the way out), or the form asks for a secret.</exception>
    /// <exception cref="ElicitationUnsupportedException">The host cannot be asked, and the tool's <see cref="UnsupportedPolicy"/> is to end the call.</exception>
    /// <exception cref="McpProtocolException">The state of the repeated call is refused (-32602).</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="InvalidOperationException">The server was built without <c>WithElicitDoctor</c>.</exception>
    public static Task<ElicitationOutcome<T>> TryElicitAsync<T>(
        this MessageContext context, string message, ElicitOptions? options = null, CancellationToken cancellationToken = default) =>
        AskAsync(CallOf(context), message, TypeInfo<T>(options), options, cancellationToken);

    /// <inheritdoc cref="TryElicitAsync{T}(MessageContext, string, ElicitOptions?, CancellationToken)"/>
    public static Task<ElicitationOutcome<T>> TryElicitAsync<T>(this MessageContext context, string message, CancellationToken cancellationToken) =>
        context.TryElicitAsync<T>(message, options: null, cancellationToken);

    /// <inheritdoc cref="TryElicitAsync{T}(MessageContext, string, ElicitOptions?, CancellationToken)"/>
    /// <param name="context">The request of the client.</param>
    /// <param name="message">What the user reads above the form.</param>
    /// <param name="typeInfo">How <typeparamref name="T"/> is serialized, from a source-generated <c>JsonSerializerContext</c>.</param>
    /// <param name="options">Key, time-out and more; null for the defaults.</param>
    /// <param name="cancellationToken">Ends the wait; the host is told to take the question back.</param>
    public static Task<ElicitationOutcome<T>> TryElicitAsync<T>(
        this MessageContext context, string message, JsonTypeInfo<T> typeInfo, ElicitOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(typeInfo);
        return AskAsync(CallOf(context), message, typeInfo, options, cancellationToken);
    }

    /// <inheritdoc cref="TryElicitAsync{T}(MessageContext, string, JsonTypeInfo{T}, ElicitOptions?, CancellationToken)"/>
    public static Task<ElicitationOutcome<T>> TryElicitAsync<T>(
        this MessageContext context, string message, JsonTypeInfo<T> typeInfo, CancellationToken cancellationToken) =>
        context.TryElicitAsync(message, typeInfo, options: null, cancellationToken);

    /// <summary>Asks what the SDK's parameters describe: a form of any fields, or a URL.</summary>
    /// <remarks>A URL's <c>elicitationId</c> is made where the revision needs one and none is given, and left out where it has none.</remarks>
    /// <param name="context">The request of the client.</param>
    /// <param name="request">The parameters of <c>elicitation/create</c>.</param>
    /// <param name="options">Key, time-out and more; null for the defaults.</param>
    /// <param name="cancellationToken">Ends the wait; the host is told to take the question back.</param>
    /// <returns>What came of it. The accepted content has been checked against the schema; it is empty for a URL.</returns>
    /// <inheritdoc cref="TryElicitAsync{T}(MessageContext, string, ElicitOptions?, CancellationToken)" path="/exception"/>
    public static Task<ElicitationOutcome<IReadOnlyDictionary<string, JsonElement>>> TryElicitAsync(
        this MessageContext context, ElicitRequestParams request, ElicitOptions? options = null, CancellationToken cancellationToken = default) =>
        AskAsync(CallOf(context), request, options, cancellationToken);

    /// <inheritdoc cref="TryElicitAsync(MessageContext, ElicitRequestParams, ElicitOptions?, CancellationToken)"/>
    public static Task<ElicitationOutcome<IReadOnlyDictionary<string, JsonElement>>> TryElicitAsync(
        this MessageContext context, ElicitRequestParams request, CancellationToken cancellationToken) =>
        context.TryElicitAsync(request, options: null, cancellationToken);

    /// <summary>Asks the user to open a page, for what must not pass through the host: signing in, paying, secrets.</summary>
    /// <remarks>
    /// On 2026-07-28 the tool runs again when the user has agreed, and may then make another URL: what counts, and what the outcome has, is the
    /// one that the user was shown.
    /// </remarks>
    /// <param name="context">The request of the client.</param>
    /// <param name="message">Why the user should open it.</param>
    /// <param name="url">The page: <c>https</c>, or <c>http</c> on the loopback, without user info and without a secret in it.</param>
    /// <param name="options">Key, time-out and more; null for the defaults.</param>
    /// <param name="cancellationToken">Ends the wait; the host is told to take the question back.</param>
    /// <returns>What came of it. Accepted is consent to open the page, not what happened there.</returns>
    /// <inheritdoc cref="TryElicitAsync{T}(MessageContext, string, ElicitOptions?, CancellationToken)" path="/exception"/>
    public static Task<ElicitationOutcome<UrlElicitation>> TryElicitUrlAsync(
        this MessageContext context, string message, Uri url, ElicitOptions? options = null, CancellationToken cancellationToken = default) =>
        AskAsync(CallOf(context), message, url, options, cancellationToken);

    /// <inheritdoc cref="TryElicitUrlAsync(MessageContext, string, Uri, ElicitOptions?, CancellationToken)"/>
    public static Task<ElicitationOutcome<UrlElicitation>> TryElicitUrlAsync(
        this MessageContext context, string message, Uri url, CancellationToken cancellationToken) =>
        context.TryElicitUrlAsync(message, url, options: null, cancellationToken);

    /// <summary>Asks the user for a yes or a no.</summary>
    /// <remarks>
    /// Only a person's yes is consent. Where it is known that a machine answers (a probe in this session found it, or the yes came sooner than
    /// <see cref="ElicitDoctorOptions.ShortestConfirmation"/>), the outcome is <c>Unsupported</c>. On 2026-07-28 over HTTP there are no
    /// sessions in which a probe could be remembered. The form has one field with the two labels
    /// as choices, the refusal first, and no default.
    /// </remarks>
    /// <param name="context">The request of the client.</param>
    /// <param name="message">What the user agrees to. Name it: "Delete 3 files?".</param>
    /// <param name="options">Labels, key, time-out and more; null for the defaults.</param>
    /// <param name="cancellationToken">Ends the wait; the host is told to take the question back.</param>
    /// <returns>Whether it was given, and why not.</returns>
    /// <inheritdoc cref="TryElicitAsync{T}(MessageContext, string, ElicitOptions?, CancellationToken)" path="/exception"/>
    public static Task<Confirmation> ConfirmAsync(
        this MessageContext context, string message, ConfirmOptions? options = null, CancellationToken cancellationToken = default) =>
        ConfirmAsync(CallOf(context), message, options, cancellationToken);

    /// <inheritdoc cref="ConfirmAsync(MessageContext, string, ConfirmOptions?, CancellationToken)"/>
    public static Task<Confirmation> ConfirmAsync(this MessageContext context, string message, CancellationToken cancellationToken) =>
        context.ConfirmAsync(message, options: null, cancellationToken);

    /// <inheritdoc cref="TryElicitAsync{T}(MessageContext, string, ElicitOptions?, CancellationToken)"/>
    public static Task<ElicitationOutcome<T>> TryElicitAsync<T>(
        this McpServer server, string message, ElicitOptions? options = null, CancellationToken cancellationToken = default) =>
        AskAsync(CallOf(server), message, TypeInfo<T>(options), options, cancellationToken);

    /// <inheritdoc cref="TryElicitAsync{T}(MessageContext, string, CancellationToken)"/>
    public static Task<ElicitationOutcome<T>> TryElicitAsync<T>(this McpServer server, string message, CancellationToken cancellationToken) =>
        server.TryElicitAsync<T>(message, options: null, cancellationToken);

    /// <inheritdoc cref="TryElicitAsync{T}(MessageContext, string, JsonTypeInfo{T}, ElicitOptions?, CancellationToken)"/>
    public static Task<ElicitationOutcome<T>> TryElicitAsync<T>(
        this McpServer server, string message, JsonTypeInfo<T> typeInfo, ElicitOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(typeInfo);
        return AskAsync(CallOf(server), message, typeInfo, options, cancellationToken);
    }

    /// <inheritdoc cref="TryElicitAsync{T}(MessageContext, string, JsonTypeInfo{T}, ElicitOptions?, CancellationToken)"/>
    public static Task<ElicitationOutcome<T>> TryElicitAsync<T>(
        this McpServer server, string message, JsonTypeInfo<T> typeInfo, CancellationToken cancellationToken) =>
        server.TryElicitAsync(message, typeInfo, options: null, cancellationToken);

    /// <inheritdoc cref="TryElicitAsync(MessageContext, ElicitRequestParams, ElicitOptions?, CancellationToken)"/>
    public static Task<ElicitationOutcome<IReadOnlyDictionary<string, JsonElement>>> TryElicitAsync(
        this McpServer server, ElicitRequestParams request, ElicitOptions? options = null, CancellationToken cancellationToken = default) =>
        AskAsync(CallOf(server), request, options, cancellationToken);

    /// <inheritdoc cref="TryElicitAsync(MessageContext, ElicitRequestParams, ElicitOptions?, CancellationToken)"/>
    public static Task<ElicitationOutcome<IReadOnlyDictionary<string, JsonElement>>> TryElicitAsync(
        this McpServer server, ElicitRequestParams request, CancellationToken cancellationToken) =>
        server.TryElicitAsync(request, options: null, cancellationToken);

    /// <inheritdoc cref="TryElicitUrlAsync(MessageContext, string, Uri, ElicitOptions?, CancellationToken)"/>
    public static Task<ElicitationOutcome<UrlElicitation>> TryElicitUrlAsync(
        this McpServer server, string message, Uri url, ElicitOptions? options = null, CancellationToken cancellationToken = default) =>
        AskAsync(CallOf(server), message, url, options, cancellationToken);

    /// <inheritdoc cref="TryElicitUrlAsync(MessageContext, string, Uri, ElicitOptions?, CancellationToken)"/>
    public static Task<ElicitationOutcome<UrlElicitation>> TryElicitUrlAsync(
        this McpServer server, string message, Uri url, CancellationToken cancellationToken) =>
        server.TryElicitUrlAsync(message, url, options: null, cancellationToken);

    /// <inheritdoc cref="ConfirmAsync(MessageContext, string, ConfirmOptions?, CancellationToken)"/>
    public static Task<Confirmation> ConfirmAsync(
        this McpServer server, string message, ConfirmOptions? options = null, CancellationToken cancellationToken = default) =>
        ConfirmAsync(CallOf(server), message, options, cancellationToken);

    /// <inheritdoc cref="ConfirmAsync(MessageContext, string, CancellationToken)"/>
    public static Task<Confirmation> ConfirmAsync(this McpServer server, string message, CancellationToken cancellationToken) =>
        server.ConfirmAsync(message, options: null, cancellationToken);

    /// <summary>The same for a form whose schema comes from elsewhere.</summary>
    internal static async Task<ElicitationOutcome<JsonElement>> AskFormAsync(
        this MessageContext context, string message, JsonElement schema, ElicitOptions options, CancellationToken cancellationToken)
    {
        var call = CallOf(context);
        var outcome = await AskerOf(call).AskAsync(call, Question.Form(message, schema, options), cancellationToken).ConfigureAwait(false);
        return outcome.Select(answer => new ElicitationOutcome<JsonElement>.Accepted(answer.Content));
    }

    private static Call CallOf(MessageContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return Call.Of(context);
    }

    private static Call CallOf(McpServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        return Call.Of(server);
    }

    private static Asker AskerOf(Call call)
    {
        _ = HandshakeStore.Of(call.Context.Server);
        return call.Context.Server.Services!.GetRequiredService<Asker>();
    }

    private static JsonTypeInfo<T> TypeInfo<T>(ElicitOptions? options)
    {
        try
        {
            return (JsonTypeInfo<T>)(options?.SerializerOptions ?? McpJsonUtilities.DefaultOptions).GetTypeInfo(typeof(T));
        }
        catch (NotSupportedException error) when (options?.SerializerOptions is { TypeInfoResolver: null })
        {
            throw new ElicitationRequestException(
                "ElicitOptions.SerializerOptions has no TypeInfoResolver: give it a source-generated JsonSerializerContext, or a DefaultJsonTypeInfoResolver.", error);
        }
        catch (NotSupportedException error)
        {
            throw new ElicitationRequestException(
                $"Without reflection it is not known how {typeof(T).Name} is serialized: use the overload with a JsonTypeInfo, from a source-generated JsonSerializerContext.", error);
        }
    }

    private static async Task<ElicitationOutcome<T>> AskAsync<T>(
        Call call, string message, JsonTypeInfo<T> typeInfo, ElicitOptions? options, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(message);
        var schema = FormSchema.Of(typeInfo);
        var outcome = await AskerOf(call).AskAsync(call, Question.Form(message, schema, options), cancellationToken).ConfigureAwait(false);
        return outcome.Select(answer => FormAnswer.Read(answer.Content, typeInfo));
    }

    private static async Task<ElicitationOutcome<IReadOnlyDictionary<string, JsonElement>>> AskAsync(
        Call call, ElicitRequestParams request, ElicitOptions? options, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        var outcome = await AskerOf(call).AskAsync(call, Question.Raw(request, options), cancellationToken).ConfigureAwait(false);
        return outcome.Select(answer => new ElicitationOutcome<IReadOnlyDictionary<string, JsonElement>>.Accepted(FormAnswer.Members(answer.Content)));
    }

    private static async Task<ElicitationOutcome<UrlElicitation>> AskAsync(
        Call call, string message, Uri url, ElicitOptions? options, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(message);
        ArgumentNullException.ThrowIfNull(url);
        var outcome = await AskerOf(call).AskAsync(call, Question.Url(message, url, options), cancellationToken).ConfigureAwait(false);
        return outcome.Select(answer => new ElicitationOutcome<UrlElicitation>.Accepted(new(new Uri(answer.Url!), answer.ElicitationId)));
    }

    private static async Task<Confirmation> ConfirmAsync(Call call, string message, ConfirmOptions? options, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(message);
        options ??= new();
        var asker = AskerOf(call);
        var question = ConfirmForm.Ask(message, options);
        if (asker.RefuseConsent<bool>(call, question) is { } refused)
        {
            return new(refused);
        }

        var outcome = await asker.AskAsync(call, question, cancellationToken).ConfigureAwait(false);
        return new(outcome.Select(answer =>
            ConfirmForm.IsYes(answer.Content, options)
                ? asker.RefuseConsent<bool>(call, question, answer.Latency) ?? new ElicitationOutcome<bool>.Accepted(true)
                : new ElicitationOutcome<bool>.Accepted(false)));
    }
}
