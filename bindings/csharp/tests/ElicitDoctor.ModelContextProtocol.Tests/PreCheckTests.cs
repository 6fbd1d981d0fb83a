using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol.AspNetCore;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The pre-check says what asking then does, in both eras and on every transport.</summary>
public sealed class PreCheckTests
{
    public static TheoryData<string, string, Delivery, bool> Cells => new()
    {
        // transport, revision, the way to ask, whether ElicitAsync can
        { AnyServer.Pipe, Clients.InitializeEra, Delivery.Request, true },
        { AnyServer.Pipe, Clients.PerRequestEra, Delivery.InputRequired, true },
        { AnyServer.Stateful, Clients.InitializeEra, Delivery.Request, true },
        { AnyServer.Hybrid, Clients.InitializeEra, Delivery.Request, true },
        { AnyServer.Hybrid, Clients.PerRequestEra, Delivery.InputRequired, false },
        { AnyServer.Stateless, Clients.InitializeEra, Delivery.None, false },
        { AnyServer.Stateless, Clients.PerRequestEra, Delivery.InputRequired, false },
    };

    [Theory]
    [MemberData(nameof(Cells))]
    public async Task The_pre_check_of_the_server_says_what_ElicitAsync_does(string transport, string revision, Delivery _, bool elicitAsyncCan)
    {
        await using var server = await AnyServer.StartAsync(transport);
        foreach (var (form, url) in Declarations)
        {
            await using var client = await server.ConnectAsync(Clients.Options(revision, form, url));
            foreach (var (mode, declared) in new[] { ("form", form), ("url", url) })
            {
                var expected = declared && elicitAsyncCan;

                Assert.Equal(expected ? "yes" : "no", await client.CallTextAsync("server_can_elicit", mode));
                var asked = await client.CallTextAsync("ask", mode);
                Assert.True(expected == (asked == "accept"), $"{mode} of form={form} url={url}: ElicitAsync gave \"{asked}\"");
            }

            await server.EndSessionAsync();
        }
    }

    [Theory]
    [MemberData(nameof(Cells))]
    public async Task The_pre_check_of_the_request_says_whether_its_way_leads_to_an_answer(string transport, string revision, Delivery delivery, bool _)
    {
        await using var server = await AnyServer.StartAsync(transport);
        foreach (var (form, url) in Declarations)
        {
            await using var client = await server.ConnectAsync(Clients.Options(revision, form, url));

            Assert.Equal(form || url ? delivery.ToString() : nameof(Delivery.None), await client.CallTextAsync("delivery"));
            foreach (var (mode, declared) in new[] { ("form", form), ("url", url) })
            {
                var expected = declared && delivery != Delivery.None;

                Assert.Equal(expected ? "yes" : "no", await client.CallTextAsync("can_elicit", mode));
                if (expected)
                {
                    Assert.Equal("accept", await client.CallTextAsync(delivery == Delivery.Request ? "ask" : "ask_by_round_trip", mode));
                }
            }

            await server.EndSessionAsync();
        }
    }

    [Theory]
    [MemberData(nameof(Cells))]
    public async Task The_report_agrees_with_the_pre_check(string transport, string revision, Delivery delivery, bool _)
    {
        await using var server = await AnyServer.StartAsync(transport);
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: true, url: false));

        var report = await client.CallDoctorAsync();

        Assert.Equal(delivery switch { Delivery.Request => "request", Delivery.InputRequired => "input_required", _ => "none" }, (string?)report["delivery"]);
        Assert.Equal(delivery != Delivery.None, report.Supports("elicitationForm"));
        Assert.Equal(revision == Clients.PerRequestEra, report.ContainsKey("perRequest"));
        Assert.Equal(transport == AnyServer.Stateless && revision == Clients.InitializeEra, report.FindingCodes().Contains("stateless_without_handshake"));
    }

    [Fact]
    public async Task A_stateless_server_that_cannot_know_the_handshake_names_the_setting_that_would()
    {
        await using var server = await HttpServer.StartAsync(HttpServerSessionMode.Stateless);
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: true, url: false));

        var report = await client.CallDoctorAsync(probeElicitation: true);

        Assert.Contains("StatefulForInitializeClients", report["findings"]!.ToJsonString());
        Assert.False((bool)report["probes"]!["elicitationForm"]!["attempted"]!);
        Assert.Contains("stateless", (string)report["probes"]!["elicitationForm"]!["reason"]!);
    }

    [Fact]
    public async Task A_stateful_http_server_refuses_the_per_request_era_so_there_is_no_such_cell()
    {
        await using var server = await HttpServer.StartAsync(HttpServerSessionMode.Stateful);

        await Assert.ThrowsAnyAsync<Exception>(() => server.ConnectAsync(Clients.Options(Clients.PerRequestEra, form: true, url: false)));
    }

    [Theory]
    [InlineData("2025-06-18", "yes", "no")]
    [InlineData("2025-03-26", "no", "no")]
    public async Task The_rules_of_an_older_revision_hold_whatever_the_client_declares(string revision, string form, string url)
    {
        await using var server = PipeServer.Start();
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: true, url: true));

        Assert.Equal((form, url), (await client.CallTextAsync("can_elicit", "form"), await client.CallTextAsync("can_elicit", "url")));
        Assert.Equal((form, url), (await client.CallTextAsync("server_can_elicit", "form"), await client.CallTextAsync("server_can_elicit", "url")));
    }

    [Fact]
    public async Task A_server_without_the_doctor_is_told_what_to_add()
    {
        await using var services = new ServiceCollection().AddMcpServer().Services.BuildServiceProvider();
        await using var server = PipeServer.StartSession(services);
        await using var bare = McpServer.Create(new StreamServerTransport(Stream.Null, Stream.Null), new());

        foreach (var withoutDoctor in new[] { bare, server.Server })
        {
            var error = Assert.Throws<InvalidOperationException>(() => withoutDoctor.CanElicit(ElicitationMode.Form));
            Assert.Contains(".WithElicitDoctor()", error.Message);
        }
    }

    [Fact]
    public async Task A_mode_that_does_not_exist_is_refused()
    {
        await using var server = PipeServer.Start();

        Assert.Throws<ArgumentOutOfRangeException>(() => server.Server.CanElicit((ElicitationMode)9));
    }

    private static readonly (bool Form, bool Url)[] Declarations = [(false, false), (true, false), (false, true), (true, true)];
}
