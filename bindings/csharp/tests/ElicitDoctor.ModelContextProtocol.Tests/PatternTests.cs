using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using ModelContextProtocol;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>What <c>docs/dotnet-patterns.md</c> says of its examples: that each "before" fails like this, and its "after" does not.</summary>
public sealed class PatternTests : IAsyncDisposable
{
    private const string AnErrorOccurred = "An error occurred invoking 'deploy'.";

    private readonly FakeTimeProvider _time = new();
    private readonly PatternExamples.Deployments _deployments = new();
    private readonly List<ElicitRequestParams> _questions = [];
    private readonly List<IAsyncDisposable> _started = [];

    public static TheoryData<string> Eras => [Clients.InitializeEra, Clients.PerRequestEra];

    [Theory]
    [InlineData(Clients.InitializeEra, 1)]
    [InlineData(Clients.PerRequestEra, 3)]
    public async Task Code_before_a_question_runs_again_on_2026_07_28_and_code_after_the_last_one_runs_once(string revision, int timesRead)
    {
        var client = await ConnectAsync<PatternExamples.RoundTrip>(Person(revision));

        Assert.Equal((false, "Deploying 1.4 to test."), await CallAsync(client));

        Assert.Equal((timesRead, "test"), (_deployments.TimesRead, Assert.Single(_deployments.Started)));
        Assert.Equal(["Where shall it go?", "Deploy 1.4 to test?"], _questions.Select(question => question.Message));
    }

    [Fact]
    public async Task A_catch_of_everything_runs_although_the_question_gets_through()
    {
        var client = await ConnectAsync<CatchesEverything>(Person(Clients.PerRequestEra));

        Assert.Equal((false, "test"), await CallAsync(client));

        Assert.Equal(["InputRequiredException"], _deployments.Started);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task The_text_of_a_checks_exception_does_not_reach_the_host(string revision)
    {
        var before = await ConnectAsync<PatternExamples.CheckBefore>(WithoutForms(revision));
        var after = await ConnectAsync<PatternExamples.CheckAfter>(WithoutForms(revision));

        Assert.Equal((true, AnErrorOccurred), await CallAsync(before));
        Assert.Equal(
            (true, "The host tests 1 cannot be asked by a form. The client did not advertise elicitation. Instead: run `deploy` in a terminal."),
            await CallAsync(after));
    }

    [Theory]
    [InlineData(AnyServer.Stateless)]
    [InlineData(AnyServer.Hybrid)]
    public async Task A_host_without_a_session_is_not_asked_although_it_declares_forms(string transport)
    {
        var before = await ConnectAsync<PatternExamples.CheckBefore>(transport, Person(Clients.PerRequestEra));
        var after = await ConnectAsync<PatternExamples.CheckAfter>(transport, Person(Clients.PerRequestEra));

        Assert.Equal((true, AnErrorOccurred), await CallAsync(before));
        Assert.Empty(_questions);
        Assert.Equal((false, "Deploying to test."), await CallAsync(after));
    }

    [Fact]
    public async Task Without_a_session_the_check_and_ElicitAsync_do_not_agree_since_2_4()
    {
        var client = await ConnectAsync<SaysWhatHappens>(AnyServer.Stateless, Person(Clients.PerRequestEra));

        var expected = typeof(McpServer).Assembly.GetName().Version >= new Version(2, 4)
            ? "checked; InvalidOperationException: Elicitation is not supported in stateless mode."
            : "not declared";
        Assert.Equal((false, expected), await CallAsync(client));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task A_url_without_a_mode_is_a_form_without_a_schema(string revision)
    {
        var before = await ConnectAsync<PatternExamples.ModeBefore>(Person(revision));
        var after = await ConnectAsync<PatternExamples.ModeAfter>(Person(revision));

        Assert.Equal((true, "An error occurred invoking 'sign_in'."), await CallAsync(before, "sign_in"));
        Assert.Empty(_questions);
        Assert.Equal((false, "Call deploy once you have signed in."), await CallAsync(after, "sign_in"));
        Assert.Equal(("url", "https://deploy.example/sign-in"), (Assert.Single(_questions).Mode, _questions[0].Url));
    }

    [Theory]
    [InlineData("ask", """{"mode":"form","message":"Please say.",""")]
    [InlineData("deploy", """{"message":"Where shall it go?",""")]
    public async Task The_sdk_states_the_mode_of_a_form_to_hosts_that_know_no_modes_and_the_doctor_does_not(string tool, string expected)
    {
        await using var server = PipeServer.Start(Configure<PatternExamples.CheckAfter>);
        var client = server.ConnectWire();
        await client.RequestAsync("initialize", """{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}},"clientInfo":{"name":"n","version":"1"}}""");

        await client.SendAsync($$"""{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"{{tool}}","arguments":{"mode":"form"} } }""");
        var question = await client.ReadRequestAsync("elicitation/create");
        await client.RespondAsync(question, """
            "result":{"action":"decline"}
            """);

        Assert.StartsWith(expected, question.GetProperty("params").GetRawText());
        await client.ReadAnswerAsync(50);
    }

    [Theory]
    [InlineData(Clients.InitializeEra, "Deploying to test.")]
    [InlineData(Clients.PerRequestEra, "Nobody can be asked.")]
    public async Task The_server_of_the_container_does_not_know_what_a_host_of_2026_07_28_declares(string revision, string expected)
    {
        var before = await ConnectAsync<PatternExamples.CapabilityBefore>(
            Person(revision), services => services.AddSingleton<PatternExamples.CapabilityBefore.TargetQuestion>());
        var after = await ConnectAsync<PatternExamples.CapabilityAfter>(
            Person(revision), services => services.AddSingleton<PatternExamples.CapabilityAfter.TargetQuestion>());

        Assert.Equal((false, expected), await CallAsync(before));
        Assert.Equal((false, "Deploying to test."), await CallAsync(after));
    }

    [Fact]
    public async Task Over_http_there_is_no_server_in_the_container()
    {
        var before = await ConnectAsync<PatternExamples.CapabilityBefore>(
            AnyServer.Stateful, Person(Clients.InitializeEra), services => services.AddSingleton<PatternExamples.CapabilityBefore.TargetQuestion>());
        var after = await ConnectAsync<PatternExamples.CapabilityAfter>(
            AnyServer.Stateful, Person(Clients.InitializeEra), services => services.AddSingleton<PatternExamples.CapabilityAfter.TargetQuestion>());

        Assert.Equal((true, AnErrorOccurred), await CallAsync(before));
        Assert.Equal((false, "Deploying to test."), await CallAsync(after));
    }

    [Fact]
    public void A_server_has_no_elicitation_to_declare() => Assert.Null(typeof(ServerCapabilities).GetProperty("Elicitation"));

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task A_capability_check_is_no_McpException_and_neither_is_an_accept_without_content(string revision)
    {
        foreach (var (host, expected) in new[]
        {
            (WithoutForms(revision), " Instead: call deploy with an environment."),
            (Answering(revision, _ => new() { Action = "accept" }), " Instead: call deploy with an environment."),
        })
        {
            var before = await ConnectAsync<PatternExamples.ExceptionBefore>(host);
            var after = await ConnectAsync<PatternExamples.ExceptionAfter>(host);

            Assert.Equal((true, AnErrorOccurred), await CallAsync(before));
            var (isError, text) = await CallAsync(after);
            Assert.False(isError);
            Assert.EndsWith(expected, text);
        }
    }

    [Theory]
    [InlineData(AnyServer.Pipe, Clients.InitializeEra, false, "cannot ask")]
    [InlineData(AnyServer.Pipe, Clients.PerRequestEra, false, "cannot ask")]
    [InlineData(AnyServer.Pipe, Clients.InitializeEra, true, "accept")]
    [InlineData(AnyServer.Pipe, Clients.PerRequestEra, true, "accept")]
    [InlineData(AnyServer.Stateless, Clients.PerRequestEra, true, "cannot ask")]
    public async Task The_check_says_what_the_exception_of_ElicitAsync_means(string transport, string revision, bool form, string expected)
    {
        var client = await ConnectAsync<StaysWithElicitAsync>(transport, form ? Person(revision) : WithoutForms(revision));

        Assert.Equal((false, expected), await CallAsync(client));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task Each_outcome_has_its_own_answer(string revision)
    {
        var accepting = await ConnectAsync<PatternExamples.ExceptionAfter>(Person(revision));
        var declining = await ConnectAsync<PatternExamples.ExceptionAfter>(Answering(revision, _ => new() { Action = "decline" }));
        var elsewhere = await ConnectAsync<PatternExamples.ExceptionAfter>(WithoutForms(revision));

        Assert.Equal((false, "Deploying to test."), await CallAsync(accepting));
        Assert.Equal((false, "Nothing was deployed."), await CallAsync(declining));
        Assert.Equal((false, "Deploying to production."), await CallAsync(elsewhere, "deploy", new() { ["environment"] = "production" }));
    }

    [Theory]
    [InlineData("InvalidOperationException", "An error occurred invoking 'throw'.")]
    [InlineData("McpException", "An error occurred invoking 'throw': the text")]
    [InlineData("McpProtocolException", null)]
    [InlineData("ElicitationRequestException", "Both labels of the confirmation are \"Yes\"; a yes could not be told from a no.")]
    public async Task A_host_sees_this_of_an_exception(string exception, string? expected)
    {
        foreach (var revision in new[] { Clients.InitializeEra, Clients.PerRequestEra })
        {
            var client = await ConnectAsync<Throws>(WithoutForms(revision));
            var call = CallAsync(client, "throw", new() { ["exception"] = exception });

            if (expected is not null)
            {
                Assert.Equal((true, expected), await call);
            }
            else
            {
                Assert.Equal(McpErrorCode.InvalidParams, (await Assert.ThrowsAsync<McpProtocolException>(() => call)).ErrorCode);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task The_filter_lets_through_just_what_it_was_meant_for_and_makes_a_bug_of_a_no(string revision)
    {
        var before = await ConnectAsync<PatternExamples.FilterBefore>(WithoutForms(revision));
        var beforeDeclined = await ConnectAsync<PatternExamples.FilterBefore>(Answering(revision, _ => new() { Action = "decline" }));
        var after = await ConnectAsync<PatternExamples.FilterAfter>(WithoutForms(revision));
        var afterWithForms = await ConnectAsync<PatternExamples.FilterAfter>(Person(revision));

        Assert.Equal((true, AnErrorOccurred), await CallAsync(before));
        Assert.Equal((false, "Nothing was deployed: Object reference not set to an instance of an object."), await CallAsync(beforeDeclined));
        var (isError, text) = await CallAsync(after);
        Assert.False(isError);
        Assert.EndsWith(" Instead: run `deploy` in a terminal.", text);
        Assert.Equal((false, "Deploying to test."), await CallAsync(afterWithForms));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task Without_a_check_the_work_is_half_done_when_the_question_fails(string revision)
    {
        var before = await ConnectAsync<PatternExamples.NoCheckBefore>(WithoutForms(revision));
        Assert.Equal((true, AnErrorOccurred), await CallAsync(before));
        Assert.True(_deployments.IsFrozen, "the freeze is left behind");
        _deployments.Start("test");

        var after = await ConnectAsync<PatternExamples.NoCheckAfter>(WithoutForms(revision));
        Assert.Equal((false, "Nobody can be asked here. Run `deploy` in a terminal."), await CallAsync(after));
        Assert.False(_deployments.IsFrozen);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task Nothing_counts_as_consent_but_the_yes_of_a_person(string revision)
    {
        var machine = Answering(revision, question => new() { Action = "accept", Content = Content(question) });
        foreach (var (host, goesAhead) in new[]
        {
            (WithoutForms(revision), true),
            (machine, true),
            (Answering(revision, _ => new() { Action = "accept" }), true),
            (Answering(revision, _ => new() { Action = "decline" }), false),
        })
        {
            var before = await ConnectAsync<PatternExamples.ConsentBefore>(host);
            var after = await ConnectAsync<PatternExamples.ConsentAfter>(host);

            Assert.Equal((false, goesAhead ? "Deploying to production." : "Nothing was deployed."), await CallAsync(before));
            Assert.Equal(goesAhead, _deployments.Started.Remove("production"));

            var (isError, text) = await CallAsync(after);
            Assert.False(isError);
            Assert.EndsWith(" Instead: run `deploy production` in a terminal.", text);
            Assert.Empty(_deployments.Started);
        }

        var asked = await ConnectAsync<PatternExamples.ConsentAfter>(Person(revision));
        Assert.Equal((false, "Deploying to production."), await CallAsync(asked));
        Assert.Equal(["production"], _deployments.Started);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var started in Enumerable.Reverse(_started))
        {
            await started.DisposeAsync();
        }
    }

    private static McpClientOptions WithoutForms(string revision) => Clients.Options(revision, form: false, url: false);

    /// <summary>A host that answers at once.</summary>
    private McpClientOptions Answering(string revision, Func<ElicitRequestParams, ElicitResult> answer) => Clients.Options(revision, (question, _) =>
    {
        _questions.Add(question);
        return Task.FromResult(answer(question));
    });

    /// <summary>A host whose user takes three seconds and agrees to everything.</summary>
    private McpClientOptions Person(string revision) => Answering(revision, question =>
    {
        _time.Advance(TimeSpan.FromSeconds(3));
        return new() { Action = "accept", Content = question.RequestedSchema is null ? null : Content(question) };
    });

    private static Dictionary<string, JsonElement> Content(ElicitRequestParams question) => question.RequestedSchema!.Properties.ToDictionary(
        property => property.Key,
        property => property.Value is ElicitRequestParams.UntitledSingleSelectEnumSchema choice
            ? JsonSerializer.SerializeToElement(choice.Enum[^1])
            : JsonSerializer.SerializeToElement("test"));

    private Task<McpClient> ConnectAsync<TTools>(McpClientOptions options, Action<IServiceCollection>? add = null)
        where TTools : class => ConnectAsync<TTools>(AnyServer.Pipe, options, add);

    private async Task<McpClient> ConnectAsync<TTools>(string transport, McpClientOptions options, Action<IServiceCollection>? add = null)
        where TTools : class => Keep(await Keep(await AnyServer.StartAsync(transport, server =>
        {
            Configure<TTools>(server);
            add?.Invoke(server.Services);
        })).ConnectAsync(options));

    private void Configure<TTools>(IMcpServerBuilder server)
        where TTools : class => server.WithTools<TTools>().Services.AddSingleton<TimeProvider>(_time).AddSingleton(_deployments);

    private T Keep<T>(T started)
        where T : IAsyncDisposable
    {
        _started.Add(started);
        return started;
    }

    private static async Task<(bool IsError, string Text)> CallAsync(
        McpClient client, string tool = "deploy", Dictionary<string, object?>? arguments = null)
    {
        var result = await client.CallToolAsync(tool, arguments, cancellationToken: Clients.Cancellation);
        return (result.IsError is true, Assert.IsType<TextContentBlock>(Assert.Single(result.Content)).Text);
    }

    private sealed class CatchesEverything
    {
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(
            RequestContext<CallToolRequestParams> context, PatternExamples.Deployments deployments, CancellationToken cancellationToken)
        {
            try
            {
                var where = await context.TryElicitAsync<PatternExamples.Target>("Where shall it go?", cancellationToken);
                return where.TryGetValue(out var target) ? target.Environment : where.Explain();
            }
            catch (Exception error)
            {
                deployments.Started.Add(error.GetType().Name);
                return "swallowed";
            }
        }
    }

    private sealed class SaysWhatHappens
    {
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(McpServer server, CancellationToken cancellationToken)
        {
            if (server.ClientCapabilities?.Elicitation?.Form is null)
            {
                return "not declared";
            }

            try
            {
                return (await server.ElicitAsync<PatternExamples.Target>("Where shall it go?", cancellationToken: cancellationToken)).Action;
            }
            catch (Exception error)
            {
                return $"checked; {error.GetType().Name}: {error.Message}";
            }
        }
    }

    private sealed class StaysWithElicitAsync
    {
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(McpServer server, CancellationToken cancellationToken)
        {
            try
            {
                return (await server.ElicitAsync<PatternExamples.Target>("Where shall it go?", cancellationToken: cancellationToken)).Action;
            }
            catch (InvalidOperationException) when (!server.CanElicit(ElicitationMode.Form))
            {
                return "cannot ask";
            }
        }
    }

    private sealed class Throws
    {
        [McpServerTool(Name = "throw")]
        public static async Task<string> Throw(RequestContext<CallToolRequestParams> context, string exception, CancellationToken cancellationToken) => exception switch
        {
            "McpException" => throw new McpException("the text"),
            "McpProtocolException" => throw new McpProtocolException("the text", McpErrorCode.InvalidParams),
            "ElicitationRequestException" => (await context.ConfirmAsync("Go?", new ConfirmOptions { CancelLabel = "Yes" }, cancellationToken)).Explain(),
            _ => throw new InvalidOperationException("the text"),
        };
    }
}
