using System.Collections.Concurrent;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using ModelContextProtocol.AspNetCore;
using ModelContextProtocol.Protocol;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The doctor asks to open a page, after the form or alone.</summary>
public sealed class UrlProbeTests
{
    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task The_form_comes_first_and_the_report_has_both_results(string revision)
    {
        await using var server = PipeServer.Start(WithPage());
        var questions = new ConcurrentQueue<ElicitRequestParams>();
        await using var client = await server.ConnectAsync(Clients.Options(revision, (question, _) =>
        {
            questions.Enqueue(question);
            return Task.FromResult(question.Mode == "url" ? new() { Action = "accept" } : Clients.Accept("ok"));
        }));

        var report = await client.CallDoctorAsync(probeElicitation: true, probeUrl: true);

        Assert.Equal(["form", "url"], questions.Select(question => question.Mode));
        Assert.Equal("working machine accepted_too_fast", report.FormProbe().Outcome());
        Assert.Equal("ok", (string?)report.FormProbe()["data"]);
        Assert.Equal("working machine accepted_too_fast", report.UrlProbe().Outcome());
        Assert.False(report.UrlProbe().ContainsKey("visited"), "the server cannot see visits");
        var page = questions.Last();
        Assert.Matches("^https://example\\.com/probe/[0-9a-f]{32}$", page.Url);
        Assert.Equal(revision == Clients.InitializeEra ? page.Url![^32..] : null, page.ElicitationId);
    }

    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task The_page_can_be_asked_for_alone(string revision)
    {
        await using var server = PipeServer.Start(WithPage());
        await using var client = await server.ConnectAsync(Clients.Options(revision, (question, _) =>
            Task.FromResult(new ElicitResult { Action = question.Mode == "url" ? "decline" : throw new InvalidOperationException("a form") })));

        var report = await client.CallDoctorAsync(probeUrl: true);

        Assert.Equal("advertised_but_autocanceled machine refused_too_fast", report.UrlProbe().Outcome());
        Assert.Single(report["probes"]!.AsObject());
    }

    [Theory]
    [InlineData(Clients.InitializeEra, "accept", true)]
    [InlineData(Clients.InitializeEra, "decline", null)]
    [InlineData(Clients.PerRequestEra, "accept", true)]
    [InlineData(Clients.PerRequestEra, "cancel", null)]
    public async Task A_visit_to_the_page_of_a_real_web_server_is_seen(string revision, string action, bool? visited)
    {
        var visits = new ConcurrentDictionary<string, TaskCompletionSource<bool>>();
        await using var server = await HttpServer.StartAsync(
            HttpServerSessionMode.StatefulForInitializeClients,
            (server, address) => server.WithElicitDoctor(options => options.ProbePage = name => new(new($"{address()}probe/{name}"))
            {
                Visited = cancellationToken => visits.GetOrAdd(name, _ => new()).Task.WaitAsync(cancellationToken),
            }),
            application => application.MapGet("/probe/{name}", (string name) =>
            {
                visits.GetOrAdd(name, _ => new()).TrySetResult(true);
                return "This was a test.";
            }));
        using var browser = new HttpClient();
        Task<string>? opened = null;
        await using var client = await server.ConnectAsync(Clients.Options(revision, (question, _) =>
        {
            if (action == "accept")
            {
                // As a host does it: it answers, and the browser opens the page meanwhile.
                opened = browser.GetStringAsync(question.Url, Clients.Cancellation);
            }

            return Task.FromResult(new ElicitResult { Action = action });
        }));

        var probe = (await client.CallDoctorAsync(probeUrl: true)).UrlProbe();

        Assert.Equal((action, visited), ((string?)probe["action"], (bool?)probe["visited"]));
        Assert.Equal(visited is true ? "This was a test." : null, opened is null ? null : await opened);
    }

    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task A_page_that_nobody_opens_is_waited_for_ten_seconds(string revision)
    {
        var time = new FakeTimeProvider();
        await using var server = PipeServer.Start(WithPage(async cancellationToken =>
        {
            var waiting = Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
            time.Advance(TimeSpan.FromSeconds(9.999));
            Assert.False(waiting.IsCompleted);
            time.Advance(TimeSpan.FromSeconds(0.001));
            await waiting;
            return true;
        }) + (builder => builder.Services.AddSingleton<TimeProvider>(time)));
        await using var client = await server.ConnectAsync(Clients.Options(revision, (_, _) => Task.FromResult(new ElicitResult { Action = "accept" })));

        Assert.False((bool)(await client.CallDoctorAsync(probeUrl: true)).UrlProbe()["visited"]!);
    }

    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task A_check_that_throws_leaves_it_open_whether_the_page_was_opened(string revision)
    {
        await using var server = PipeServer.Start(WithPage(_ => throw new InvalidOperationException("the database is down")));
        await using var client = await server.ConnectAsync(Clients.Options(revision, (_, _) => Task.FromResult(new ElicitResult { Action = "accept" })));

        var probe = (await client.CallDoctorAsync(probeUrl: true)).UrlProbe();

        Assert.True(probe.TryGetPropertyValue("visited", out var visited) && visited is null);
        Assert.Equal("working", (string?)probe["verdict"]);
    }

    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task Without_a_page_there_is_no_url_probe(string revision)
    {
        await using var server = PipeServer.Start();
        await using var client = await server.ConnectAsync(Clients.Options(revision, (_, _) => Task.FromResult(Clients.Accept("ok"))));

        var report = await client.CallDoctorAsync(probeElicitation: true, probeUrl: true);

        Assert.Equal("working", (string?)report.FormProbe()["verdict"]);
        Assert.Equal("""{"attempted":false,"reason":"the server has no page to open (ElicitDoctorOptions.ProbePage)"}""", report.UrlProbe().ToJsonString());
    }

    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task A_mode_that_is_not_declared_is_not_probed_and_the_other_one_is(string revision)
    {
        foreach (var form in new[] { true, false })
        {
            await using var server = PipeServer.Start(WithPage());
            var options = Clients.Options(revision, form, url: !form);
            options.Handlers.ElicitationHandler = (question, _) => new(question!.Mode == "url" ? new() { Action = "accept" } : Clients.Accept("ok"));
            await using var client = await server.ConnectAsync(options);

            var report = await client.CallDoctorAsync(probeElicitation: true, probeUrl: true);

            var (probed, skipped) = form ? (report.FormProbe(), report.UrlProbe()) : (report.UrlProbe(), report.FormProbe());
            Assert.Equal("working", (string?)probed["verdict"]);
            Assert.Equal($"client did not advertise {(form ? "url" : "form")} mode", (string?)skipped["reason"]);
        }
    }

    [Fact]
    public async Task After_a_form_that_nobody_answered_no_page_is_asked_for()
    {
        await using var server = PipeServer.Start(WithPage() + (builder => builder.WithElicitDoctor(options => options.ProbeTimeout = TimeSpan.FromMilliseconds(50))));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, async (_, cancellationToken) =>
        {
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return new();
        }));

        var report = await client.CallDoctorAsync(probeElicitation: true, probeUrl: true);

        Assert.Equal("advertised_but_unanswered", (string?)report.FormProbe()["verdict"]);
        Assert.Contains("was not answered", (string?)report.UrlProbe()["reason"]);
    }

    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task A_page_that_hosts_would_refuse_is_named_to_the_author(string revision)
    {
        await using var server = PipeServer.Start(builder => builder.WithElicitDoctor(options => options.ProbePage = name => new(new($"http://example.com/{name}"))));
        await using var client = await server.ConnectAsync(Clients.Options(revision, (_, _) => throw new InvalidOperationException("asked")));

        var result = await client.CallToolAsync("elicit_doctor", new Dictionary<string, object?> { ["probeUrl"] = true }, cancellationToken: Clients.Cancellation);

        Assert.True(result.IsError);
        Assert.Contains("is neither https nor http on the loopback", Assert.IsType<TextContentBlock>(Assert.Single(result.Content)).Text);
    }

    [Fact]
    public async Task The_name_of_a_page_cannot_be_changed_by_the_client_and_the_author_never_sees_a_changed_one()
    {
        var names = new ConcurrentQueue<string>();
        await using var server = PipeServer.Start(builder => builder.WithElicitDoctor(options => options.ProbePage = name =>
        {
            names.Enqueue(name);
            return new(new($"https://example.com/probe/{name}"));
        }));
        var client = server.ConnectWire();
        var call = new RepeatedCall("""{"probeUrl":true}""");
        var state = RepeatedCall.State(WireClient.Result(await client.RequestAsync("tools/call", call.First)));
        var name = Assert.Single(names);

        var refused = WireClient.Result(await client.RequestAsync("tools/call", call.Repeat($"..{state}", """{"action":"accept"}""")));
        var other = WireClient.Result(await client.RequestAsync("tools/call", call.Repeat(state.Replace(name, "admin"), """{"action":"accept"}""")));
        var report = JsonNode.Parse(await client.RequestReportAsync(call.Repeat(state, """{"action":"accept"}""")))!.AsObject();

        Assert.Contains("another tool", WireClient.ToolText(other));
        Assert.True(refused.GetProperty("isError").GetBoolean());
        Assert.Equal("working", (string?)report.UrlProbe()["verdict"]);
        Assert.Equal([name, name], names);
    }

    private static Action<IMcpServerBuilder> WithPage(Func<CancellationToken, Task<bool>>? visited = null) => builder => builder.WithElicitDoctor(
        options => options.ProbePage = name => new(new($"https://example.com/probe/{name}")) { Visited = visited });
}
