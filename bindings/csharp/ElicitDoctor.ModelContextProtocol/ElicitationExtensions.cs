using ModelContextProtocol.Server;

// The overloads are told apart by the types of their first parameters.
#pragma warning disable RS0026

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>The pre-check: may this host be asked, and by which way.</summary>
/// <remarks>
/// The answer comes from the handshake as the client sent it, by the rules of the protocol revision that holds for it.
/// All members may be called from any thread, and need
/// <see cref="Microsoft.Extensions.DependencyInjection.ElicitDoctorBuilderExtensions.WithElicitDoctor"/> on the server.
/// </remarks>
public static class ElicitationExtensions
{
    /// <summary>
    /// Whether the host of this request can be asked in <paramref name="mode"/>, by the way of its protocol revision:
    /// by a request while the tool runs, or on 2026-07-28 by an input-required result (<see cref="ElicitDelivery{TParams}"/> says which).
    /// </summary>
    /// <remarks>
    /// False when the client did not declare the mode, when its revision does not have it, when the server keeps no session and
    /// the revision would need one, and when the request came before the handshake.
    /// </remarks>
    /// <param name="context">The request.</param>
    /// <param name="mode">The mode of the question.</param>
    /// <exception cref="ArgumentNullException"><paramref name="context"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="mode"/> is not one of the enumeration's values.</exception>
    /// <exception cref="InvalidOperationException">The server was built without <c>WithElicitDoctor</c>.</exception>
    /// <exception cref="NativeLibraryException">The native library cannot be used.</exception>
    public static bool CanElicit<TParams>(this RequestContext<TParams> context, ElicitationMode mode)
    {
        ArgumentNullException.ThrowIfNull(context);
        return HandshakeStore.Of(context.Server).Conclude(context).CanElicit(mode);
    }

    /// <summary>Whether <c>server.ElicitAsync</c> in <paramref name="mode"/> will be able to ask.</summary>
    /// <remarks>
    /// False on an HTTP server without sessions, whatever the client declared: <c>ElicitAsync</c> always throws there, on
    /// 2026-07-28 too, where <see cref="CanElicit{TParams}(RequestContext{TParams}, ElicitationMode)"/> may still be true.
    /// The server must be the one of a request; the root server does not know the capabilities of a 2026-07-28 client.
    /// </remarks>
    /// <param name="server">The server that a tool got for its request.</param>
    /// <param name="mode">The mode of the question.</param>
    /// <exception cref="ArgumentNullException"><paramref name="server"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="mode"/> is not one of the enumeration's values.</exception>
    /// <exception cref="InvalidOperationException">The server was built without <c>WithElicitDoctor</c>.</exception>
    /// <exception cref="NativeLibraryException">The native library cannot be used.</exception>
    public static bool CanElicit(this McpServer server, ElicitationMode mode)
    {
        ArgumentNullException.ThrowIfNull(server);
        return MissingForElicitAsync(server, mode) is null;
    }

    /// <summary>Ends the call with a readable error unless <see cref="CanElicit{TParams}(RequestContext{TParams}, ElicitationMode)"/>.</summary>
    /// <param name="context">The request.</param>
    /// <param name="mode">The mode of the question.</param>
    /// <param name="workaround">What the user can do on such a host, such as <c>pass --yes</c>; null for nothing.</param>
    /// <exception cref="ElicitationUnsupportedException">The host cannot be asked. Let it through: the filters of <c>WithElicitDoctor</c> make a tool error of it.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="context"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="mode"/> is not one of the enumeration's values.</exception>
    /// <exception cref="InvalidOperationException">The server was built without <c>WithElicitDoctor</c>.</exception>
    /// <exception cref="NativeLibraryException">The native library cannot be used.</exception>
    public static void EnsureCanElicit<TParams>(this RequestContext<TParams> context, ElicitationMode mode, string? workaround = null)
    {
        ArgumentNullException.ThrowIfNull(context);
        var host = HandshakeStore.Of(context.Server).Conclude(context);
        if (!host.CanElicit(mode))
        {
            throw new ElicitationUnsupportedException(host.Gap(mode), workaround);
        }
    }

    /// <summary>Ends the call with a readable error unless <see cref="CanElicit(McpServer, ElicitationMode)"/>: before <c>server.ElicitAsync</c>.</summary>
    /// <param name="server">The server that a tool got for its request.</param>
    /// <param name="mode">The mode of the question.</param>
    /// <param name="workaround">What the user can do on such a host, such as <c>pass --yes</c>; null for nothing.</param>
    /// <exception cref="ElicitationUnsupportedException"><c>ElicitAsync</c> would throw. Let it through: the filters of <c>WithElicitDoctor</c> make a tool error of it.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="server"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="mode"/> is not one of the enumeration's values.</exception>
    /// <exception cref="InvalidOperationException">The server was built without <c>WithElicitDoctor</c>.</exception>
    /// <exception cref="NativeLibraryException">The native library cannot be used.</exception>
    public static void EnsureCanElicit(this McpServer server, ElicitationMode mode, string? workaround = null)
    {
        ArgumentNullException.ThrowIfNull(server);
        if (MissingForElicitAsync(server, mode) is { } gap)
        {
            throw new ElicitationUnsupportedException(gap, workaround);
        }
    }

    /// <summary>The way by which the host of this request can be asked, or <see cref="Delivery.None"/>.</summary>
    /// <param name="context">The request.</param>
    /// <exception cref="ArgumentNullException"><paramref name="context"/> is null.</exception>
    /// <exception cref="InvalidOperationException">The server was built without <c>WithElicitDoctor</c>.</exception>
    /// <exception cref="NativeLibraryException">The native library cannot be used.</exception>
    public static Delivery ElicitDelivery<TParams>(this RequestContext<TParams> context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return HandshakeStore.Of(context.Server).Conclude(context).Delivery;
    }

    /// <summary>Why <c>ElicitAsync</c> would throw; null if it would not.</summary>
    private static SupportGap? MissingForElicitAsync(McpServer server, ElicitationMode mode)
    {
        var store = HandshakeStore.Of(server);
        var host = store.Conclude(server);
        if (!host.CanElicit(mode))
        {
            return host.Gap(mode);
        }

        if (store.Find(server).IsStateless)
        {
            return host.Gap(mode, "The server keeps no session, and there ElicitAsync cannot ask; TryElicitAsync can.");
        }

        // ElicitAsync has a check of its own, on what the SDK read.
        var declared = server.ClientCapabilities?.Elicitation;
        return (mode == ElicitationMode.Url ? declared?.Url is not null : declared?.Form is not null)
            ? null
            : host.Gap(mode, "ElicitAsync checks what the client declared, and that is not this mode; TryElicitAsync can ask.");
    }
}
