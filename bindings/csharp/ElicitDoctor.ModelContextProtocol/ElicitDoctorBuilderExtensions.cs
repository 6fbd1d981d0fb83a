using ElicitDoctor.ModelContextProtocol;
using Microsoft.Extensions.Options;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds the doctor to an MCP server.</summary>
public static class ElicitDoctorBuilderExtensions
{
    /// <summary>
    /// Adds the tool <c>elicit_doctor</c> (or those of <see cref="ElicitDoctorOptions.Tools"/>), the message filters that keep each session's handshake as it was on the wire, and what
    /// <see cref="ElicitationExtensions"/> and <see cref="AskingExtensions"/> need to ask.
    /// </summary>
    /// <remarks>
    /// <para>
    /// A filter around every tool, prompt and resource makes the questions asked in there reach the host, whatever the code makes of their
    /// exceptions, and turns <see cref="ElicitationUnsupportedException"/> and <see cref="ElicitationRequestException"/> into errors that can be
    /// read there. The first registered filter is the outermost: one of your own that catches every exception belongs behind this call. A
    /// server with a <c>CallToolWithAlternateHandler</c> has no such filters in the SDK.
    /// </para>
    /// <para>
    /// The handshake is kept for as long as its session lives (on 2026-07-28: its request) and never shared with another one.
    /// A message filter that was registered earlier and changes a message is seen by the doctor: register the doctor first.
    /// </para>
    /// <para>
    /// The report repeats numbers, strings with their escapes, the order of keys, unknown and duplicate keys as they were sent.
    /// What the SDK does not let through: white space between tokens, escapes in the names of members, and escapes in the strings
    /// of an object with duplicate keys. The tool's text content is the report to the byte; its structured content has the same
    /// values, with strings escaped as the SDK does it.
    /// </para>
    /// <para>
    /// A client whose <c>elicitation</c>, <c>sampling</c> or <c>roots</c> capability is no object would be refused by the SDK in
    /// <c>initialize</c>. The filters log a warning and take the member out of what the SDK reads, so that the session starts and
    /// the report can say what is wrong. In two places the SDK reads the capability before any filter and refuses the request,
    /// while the server goes on: over HTTP (status 500), and on 2026-07-28 (a JSON-RPC error).
    /// </para>
    /// <para>
    /// With <c>probeElicitation</c> or <c>probeUrl</c> the tool asks the host for real, by the way of its era: by a request while the
    /// call is open, or on 2026-07-28 by an input-required result. That result travels as an <see cref="InputRequiredException"/>,
    /// so a call-tool filter outside of the doctor's that catches every exception must let it through. A host that sent a progress token hears every few
    /// seconds that the doctor waits. <see cref="ElicitDoctorTelemetry"/> names what can be measured.
    /// </para>
    /// <para>
    /// Where the container has a <see cref="TimeProvider"/>, it tells the time for questions, states, progress and the wait for a visit;
    /// how long a probe during a call takes is measured by the system's clock.
    /// </para>
    /// <para>Calling this again only applies <paramref name="configure"/> once more.</para>
    /// </remarks>
    /// <param name="builder">The server's builder.</param>
    /// <param name="configure">Changes the settings, or null.</param>
    /// <returns>The same builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> is null.</exception>
    public static IMcpServerBuilder WithElicitDoctor(this IMcpServerBuilder builder, Action<ElicitDoctorOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(builder);

        builder.Services.AddOptions<ElicitDoctorOptions>();
        if (configure is not null)
        {
            builder.Services.Configure(configure);
        }

        if (builder.Services.Any(service => service.ServiceType == typeof(HandshakeStore)))
        {
            return builder;
        }

        builder.Services.AddSingleton<HandshakeStore>();
        builder.Services.AddSingleton<StateSealers>();
        builder.Services.AddSingleton<Prober>();
        builder.Services.AddSingleton<Asker>();
        builder.Services.AddSingleton<CallFilters>();
        builder.Services.AddSingleton<IConfigureOptions<McpServerOptions>, AddedTools>();
        builder.WithRequestFilters(CallFilters.Add);
        return builder.WithMessageFilters(filters => filters
            .AddIncomingFilter(next => (context, cancellationToken) =>
            {
                context.Server.Services?.GetService<HandshakeStore>()?.Receive(context);
                return next(context, cancellationToken);
            })
            .AddOutgoingFilter(next => (context, cancellationToken) =>
            {
                context.Server.Services?.GetService<HandshakeStore>()?.Send(context);
                return next(context, cancellationToken);
            }));
    }
}
