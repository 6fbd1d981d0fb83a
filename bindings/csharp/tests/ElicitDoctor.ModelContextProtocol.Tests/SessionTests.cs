using System.Runtime.CompilerServices;
using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol.AspNetCore;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>A handshake belongs to its session: nobody else sees it, and it goes with it.</summary>
public sealed class SessionTests
{
    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task Two_sessions_of_one_container_do_not_see_each_other(string revision)
    {
        await using var services = PipeServer.Services();
        await using var firstServer = PipeServer.StartSession(services);
        await using var secondServer = PipeServer.StartSession(services);
        await using var first = await firstServer.ConnectAsync(Clients.Options(revision, form: true, url: false));
        await using var second = await secondServer.ConnectAsync(Clients.Options(revision, form: false, url: true));

        var reports = await Task.WhenAll(first.CallDoctorAsync(), second.CallDoctorAsync());

        Assert.Equal((true, false), (reports[0].Supports("elicitationForm"), reports[0].Supports("elicitationUrl")));
        Assert.Equal((false, true), (reports[1].Supports("elicitationForm"), reports[1].Supports("elicitationUrl")));
        Assert.Equal(["yes", "no"], await Task.WhenAll(first.CallTextAsync("can_elicit", "form"), second.CallTextAsync("can_elicit", "form")));
    }

    [Fact]
    public async Task What_one_session_discovered_is_not_told_to_another_one()
    {
        await using var services = PipeServer.Services();
        await using var firstServer = PipeServer.StartSession(services);
        await using var secondServer = PipeServer.StartSession(services);
        await using var first = await firstServer.ConnectAsync(Clients.Options(Clients.PerRequestEra, form: true, url: false));

        var report = await secondServer.ConnectWire().RequestReportAsync(
            """{"name":"elicit_doctor","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}""");

        Assert.DoesNotContain("\"response\"", report);
    }

    [Fact]
    public async Task Two_http_sessions_do_not_see_each_other()
    {
        await using var server = await HttpServer.StartAsync(HttpServerSessionMode.Stateful);
        await using var first = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: true, url: false));
        await using var second = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: false, url: true));

        var reports = await Task.WhenAll(first.CallDoctorAsync(), second.CallDoctorAsync());

        Assert.Equal((true, false), (reports[0].Supports("elicitationForm"), reports[0].Supports("elicitationUrl")));
        Assert.Equal((false, true), (reports[1].Supports("elicitationForm"), reports[1].Supports("elicitationUrl")));
    }

    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task Nothing_is_left_of_a_session_that_ended(string revision)
    {
        await using var services = PipeServer.Services(builder => builder.WithTools<HandshakeKeeper>().Services.AddSingleton<List<WeakReference>>());

        await LiveAsync(services, revision);

        await AssertCollectedAsync(services.GetRequiredService<List<WeakReference>>());
    }

    [Fact]
    public async Task Nothing_is_left_of_an_http_session_that_ended()
    {
        await using var server = await HttpServer.StartAsync(
            HttpServerSessionMode.Stateful,
            builder => builder.WithTools<HandshakeKeeper>().Services.AddSingleton<List<WeakReference>>());

        await LiveAsync(server);

        await AssertCollectedAsync(server.Services.GetRequiredService<List<WeakReference>>());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task LiveAsync(ServiceProvider services, string revision)
    {
        await using var server = PipeServer.StartSession(services);
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: true, url: false));
        await client.CallDoctorAsync();
        await client.CallTextAsync("keep_weakly");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task LiveAsync(HttpServer server)
    {
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: true, url: false));
        await client.CallDoctorAsync();
        await client.CallTextAsync("keep_weakly");
    }

    private static async Task AssertCollectedAsync(List<WeakReference> kept)
    {
        for (var i = 0; i < 100 && kept.Any(handshake => handshake.IsAlive); i++)
        {
            // This test may have been continued from within the last method of the session.
            await Task.Yield();
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.False(Assert.Single(kept).IsAlive, "The handshake of the ended session is still in memory.");
    }

    [McpServerToolType]
    private sealed class HandshakeKeeper
    {
        [McpServerTool(Name = "keep_weakly")]
        public static string KeepWeakly(RequestContext<CallToolRequestParams> context, List<WeakReference> kept)
        {
            kept.Add(new(HandshakeStore.Of(context.Server).Find(context)));
            return "kept";
        }
    }
}
