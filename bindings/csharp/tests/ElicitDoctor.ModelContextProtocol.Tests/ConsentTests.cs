using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using ModelContextProtocol.AspNetCore;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>Nothing but a person's yes is consent.</summary>
public sealed class ConsentTests
{
    private const string Given = "given: The user agreed.";
    private const string ProbeFoundMachine = "A probe in this session found that it answers by itself, so that its yes is nobody's.";

    private static readonly TimeSpan Thinking = TimeSpan.FromSeconds(3);

    public static TheoryData<string> Eras => new(Clients.InitializeEra, Clients.PerRequestEra);

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task A_persons_yes_is_consent(string revision)
    {
        var host = new Host { Thinks = Thinking };
        await using var server = StartPipe(host);
        await using var client = await server.ConnectAsync(host.Options(revision));

        Assert.Equal(Given, await ConfirmAsync(client));
    }

    [Theory]
    [InlineData(false, Clients.InitializeEra)]
    [InlineData(false, Clients.PerRequestEra)]
    [InlineData(true, Clients.InitializeEra)]
    public async Task A_yes_counts_no_more_once_a_probe_has_found_a_machine(bool http, string revision)
    {
        var host = new Host();
        await using var pipe = http ? null : StartPipe(host);
        await using var web = http ? await HttpServer.StartAsync(HttpServerSessionMode.Stateful, host.Configure) : null;
        await using var client = await (pipe?.ConnectAsync(host.Options(revision)) ?? web!.ConnectAsync(host.Options(revision)));
        host.Thinks = Thinking;
        Assert.Equal(Given, await ConfirmAsync(client));

        host.Thinks = TimeSpan.Zero;
        Assert.Equal("machine", (string?)(await client.CallDoctorAsync(probeElicitation: true)).FormProbe()["answeredBy"]);
        host.Thinks = Thinking;
        host.Asked.Clear();

        Assert.Equal($"not given: The host tests 1 cannot be asked by a form. {ProbeFoundMachine} It declared elicitation as {{\"form\":{{}},\"url\":{{}}}}.", await ConfirmAsync(client));
        Assert.Empty(host.Asked);
    }

    [Theory]
    [InlineData("decline")]
    [InlineData("cancel")]
    [InlineData("first_option")]
    public async Task Whatever_a_machine_answered_to_the_probe_its_yes_is_nobodys(string answer)
    {
        var host = new Host { Probed = answer };
        await using var server = StartPipe(host);
        await using var client = await server.ConnectAsync(host.Options(Clients.PerRequestEra));

        Assert.Equal("machine", (string?)(await client.CallDoctorAsync(probeElicitation: true)).FormProbe()["answeredBy"]);
        host.Thinks = Thinking;

        Assert.Contains(ProbeFoundMachine, await ConfirmAsync(client));
    }

    [Theory]
    [InlineData("accept", "accept", false)]
    [InlineData("accept", "decline", false)]
    [InlineData("person", "accept", false)]
    [InlineData("person", "decline", true)]
    public async Task What_a_probe_of_urls_found_takes_nothing_back_of_what_one_of_forms_did(string form, string url, bool counts)
    {
        var host = new Host { Probed = form == "person" ? "accept" : form, UrlAction = url };
        await using var server = StartPipe(host, builder => builder.WithElicitDoctor(options => options.ProbePage = name => new(new($"https://example.com/{name}"))));
        await using var client = await server.ConnectAsync(host.Options(Clients.PerRequestEra));
        host.Thinks = form == "person" ? Thinking : TimeSpan.Zero;
        await client.CallDoctorAsync(probeElicitation: true);

        host.Thinks = form == "accept" && url == "accept" ? Thinking : TimeSpan.Zero;
        await client.CallDoctorAsync(probeUrl: true);
        host.Thinks = Thinking;

        Assert.Equal(counts, await ConfirmAsync(client) == Given);
    }

    [Fact]
    public async Task Other_questions_are_asked_of_a_machine_too()
    {
        var host = new Host();
        await using var server = StartPipe(host, builder => builder.WithTool("name", async (RequestContext<CallToolRequestParams> context) =>
            (await context.TryElicitAsync<Named>("Who are you?")).TryGetValue(out var answer) ? answer.Name : "nobody"));
        await using var client = await server.ConnectAsync(host.Options(Clients.InitializeEra));
        await client.CallDoctorAsync(probeElicitation: true);
        host.Content = """{"name":"Ann"}""";

        Assert.Equal("Ann", await client.CallTextAsync("name"));
    }

    [Fact]
    public async Task A_later_probe_that_a_person_answers_gives_the_yes_back_its_worth()
    {
        var host = new Host();
        await using var server = StartPipe(host);
        await using var client = await server.ConnectAsync(host.Options(Clients.PerRequestEra));
        await client.CallDoctorAsync(probeElicitation: true);
        host.Thinks = Thinking;
        Assert.Contains(ProbeFoundMachine, await ConfirmAsync(client));

        Assert.Equal("person", (string?)(await client.CallDoctorAsync(probeElicitation: true)).FormProbe()["answeredBy"]);

        Assert.Equal(Given, await ConfirmAsync(client));
    }

    [Fact]
    public async Task A_later_probe_that_cannot_tell_changes_nothing()
    {
        var host = new Host();
        await using var server = StartPipe(host);
        await using var client = await server.ConnectAsync(host.Options(Clients.PerRequestEra));
        await client.CallDoctorAsync(probeElicitation: true);
        host.Thinks = Thinking;
        host.Probed = "first_option";

        Assert.Equal("unknown", (string?)(await client.CallDoctorAsync(probeElicitation: true)).FormProbe()["answeredBy"]);

        Assert.Contains(ProbeFoundMachine, await ConfirmAsync(client));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task What_a_probe_found_in_one_session_says_nothing_of_another(string revision)
    {
        var (machine, person) = (new Host(), new Host { Thinks = Thinking });
        await using var services = PipeServer.Services(person.Configure);
        await using var first = PipeServer.StartSession(services);
        await using var second = PipeServer.StartSession(services);
        await using var machinesClient = await first.ConnectAsync(machine.Options(revision));
        await using var personsClient = await second.ConnectAsync(person.Options(revision));

        await machinesClient.CallDoctorAsync(probeElicitation: true);

        Assert.Equal(Given, await ConfirmAsync(personsClient));
    }

    [Theory]
    [InlineData(HttpServerSessionMode.Stateful, Clients.InitializeEra)]
    [InlineData(HttpServerSessionMode.StatefulForInitializeClients, Clients.InitializeEra)]
    [InlineData(HttpServerSessionMode.Stateless, Clients.PerRequestEra)]
    public async Task What_a_probe_found_of_one_http_client_says_nothing_of_another(HttpServerSessionMode mode, string revision)
    {
        var (machine, person) = (new Host(), new Host { Thinks = Thinking });
        await using var server = await HttpServer.StartAsync(mode, person.Configure);
        await using var machinesClient = await server.ConnectAsync(machine.Options(revision));
        await using var personsClient = await server.ConnectAsync(person.Options(revision));

        await machinesClient.CallDoctorAsync(probeElicitation: true);

        Assert.Equal(Given, await ConfirmAsync(personsClient));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task The_policy_holds_for_a_yes_that_is_nobodys_too(string revision)
    {
        var host = new Host();
        await using var server = StartPipe(host, builder => builder.WithElicitDoctor(options => options.OnUnsupported = UnsupportedPolicy.Deny));
        await using var client = await server.ConnectAsync(host.Options(revision));

        var (isError, tooFast) = await client.CallAsync("confirm");
        Assert.True(isError);
        Assert.Contains("sooner than a person can", tooFast);

        await client.CallDoctorAsync(probeElicitation: true);
        (isError, var probed) = await client.CallAsync("confirm");
        Assert.True(isError);
        Assert.Contains(ProbeFoundMachine, probed);
    }

    [Theory]
    [InlineData(Clients.InitializeEra, 0, false)]
    [InlineData(Clients.InitializeEra, 249, false)]
    [InlineData(Clients.InitializeEra, 250, true)]
    [InlineData(Clients.PerRequestEra, 0, false)]
    [InlineData(Clients.PerRequestEra, 249, false)]
    [InlineData(Clients.PerRequestEra, 250, true)]
    public async Task A_yes_that_comes_sooner_than_a_person_can_give_it_is_none(string revision, int latencyMs, bool isGiven)
    {
        var host = new Host { Thinks = TimeSpan.FromMilliseconds(latencyMs) };
        await using var server = StartPipe(host);
        await using var client = await server.ConnectAsync(host.Options(revision));

        Assert.Equal(
            isGiven
                ? Given
                : $"not given: The host tests 1 cannot be asked by a form. It said yes after {latencyMs} ms, sooner than a person can, so that its yes is nobody's (ElicitDoctorOptions.ShortestConfirmation). It declared elicitation as {{\"form\":{{}},\"url\":{{}}}}.",
            await ConfirmAsync(client));
        Assert.Equal(isGiven ? "Accepted" : "Unsupported", host.Outcome);
    }

    [Theory]
    [InlineData(0, 0, true)]
    [InlineData(1000, 999, false)]
    [InlineData(1000, 1000, true)]
    public async Task The_shortest_time_can_be_set(int shortestMs, int latencyMs, bool isGiven)
    {
        foreach (var revision in new[] { Clients.InitializeEra, Clients.PerRequestEra })
        {
            var host = new Host { Thinks = TimeSpan.FromMilliseconds(latencyMs) };
            await using var server = StartPipe(
                host, builder => builder.WithElicitDoctor(options => options.ShortestConfirmation = TimeSpan.FromMilliseconds(shortestMs)));
            await using var client = await server.ConnectAsync(host.Options(revision));

            Assert.Equal(isGiven, await ConfirmAsync(client) == Given);
        }
    }

    [Fact]
    public void The_shortest_time_is_not_negative() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new ElicitDoctorOptions { ShortestConfirmation = TimeSpan.FromTicks(-1) });

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task With_no_shortest_time_a_probe_that_found_a_machine_still_counts(string revision)
    {
        var host = new Host();
        await using var server = StartPipe(host, builder => builder.WithElicitDoctor(options => options.ShortestConfirmation = TimeSpan.Zero));
        await using var client = await server.ConnectAsync(host.Options(revision));
        Assert.Equal(Given, await ConfirmAsync(client));

        await client.CallDoctorAsync(probeElicitation: true);

        Assert.Contains(ProbeFoundMachine, await ConfirmAsync(client));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task The_form_has_the_refusal_first_and_no_default(string revision)
    {
        var host = new Host { Thinks = Thinking, Content = """{"answer":"Yes, delete"}""" };
        await using var server = StartPipe(host, builder => builder.WithTool("delete", async (RequestContext<CallToolRequestParams> context) =>
            (await context.ConfirmAsync("Delete 3 files?", new ConfirmOptions { OkLabel = "Yes, delete", CancelLabel = "Keep them" })).Given ? "deleted" : "kept"));
        await using var client = await server.ConnectAsync(host.Options(revision));

        Assert.Equal("deleted", await client.CallTextAsync("delete"));

        var question = Assert.Single(host.Asked);
        Assert.Equal("Delete 3 files?", question.Message);
        var (name, field) = Assert.Single(question.RequestedSchema!.Properties);
        var choice = Assert.IsType<ElicitRequestParams.UntitledSingleSelectEnumSchema>(field);
        Assert.Equal(["Keep them", "Yes, delete"], choice.Enum);
        Assert.Null(choice.Default);
        Assert.Equal([name], question.RequestedSchema.Required);
    }

    public static TheoryData<string, string?, bool, string, string> Answers => new()
    {
        // action, content, whether a person took the time; the outcome, the explanation
        { "accept", """{"answer":"Yes"}""", true, "Accepted", "given: The user agreed." },
        { "accept", """{"answer":"Yes","more":1}""", true, "Accepted", "given: The user agreed." },
        { "accept", """{"answer":"No"}""", true, "Accepted", "not given: The user said no." },
        { "accept", """{"answer":"No"}""", false, "Accepted", "not given: The user said no." },
        { "accept", """{"answer":"yes"}""", true, "Failed", "not given: The question got no usable answer: /content/answer: " },
        { "accept", """{"answer":""}""", true, "Failed", "not given: The question got no usable answer: /content/answer: " },
        { "accept", """{"answer":true}""", true, "Failed", "not given: The question got no usable answer: /content/answer: " },
        { "accept", """{"answer":["Yes"]}""", true, "Failed", "not given: The question got no usable answer: /content/answer: " },
        { "accept", """{"Answer":"Yes"}""", true, "Failed", "not given: The question got no usable answer: " },
        { "accept", "{}", true, "Failed", "not given: The question got no usable answer: " },
        { "accept", null, true, "Failed", "not given: The question got no usable answer: " },
        { "decline", null, true, "Declined", "not given: The user declined." },
        { "decline", """{"answer":"Yes"}""", true, "Declined", "not given: The user declined." },
        { "decline", null, false, "Declined", "not given: The host declined by itself, sooner than anybody could have seen the question." },
        { "cancel", null, true, "Cancelled", "not given: The user dismissed the question." },
        { "cancel", """{"answer":"Yes"}""", true, "Cancelled", "not given: The user dismissed the question." },
        { "cancel", null, false, "Cancelled", "not given: The host dismissed the question by itself, sooner than anybody could have seen it." },
        { "Accept", """{"answer":"Yes"}""", true, "Failed", "not given: The question got no usable answer: /action: " },
    };

    [Theory]
    [MemberData(nameof(Answers))]
    public async Task Every_answer_but_the_yes_is_a_no(string action, string? content, bool takesTime, string outcome, string explanation)
    {
        foreach (var revision in new[] { Clients.InitializeEra, Clients.PerRequestEra })
        {
            var host = new Host { Thinks = takesTime ? Thinking : TimeSpan.Zero, Action = action, Content = content };
            await using var server = StartPipe(host);
            await using var client = await server.ConnectAsync(host.Options(revision));

            Assert.StartsWith(explanation, await ConfirmAsync(client));
            Assert.Equal(outcome, host.Outcome);
        }
    }

    public static TheoryData<ElicitationOutcome<bool>, string, string> Explanations => new()
    {
        // the outcome, what is said of it, what is said with a workaround
        { new ElicitationOutcome<bool>.Accepted(true), "The user agreed.", "The user agreed." },
        { new ElicitationOutcome<bool>.Accepted(false), "The user said no.", "The user said no." },
        { new ElicitationOutcome<bool>.Declined(AnsweredBy.Person), "The user declined.", "The user declined." },
        { new ElicitationOutcome<bool>.Declined(AnsweredBy.Unknown), "The user declined.", "The user declined." },
        {
            new ElicitationOutcome<bool>.Declined(AnsweredBy.Machine),
            "The host declined by itself, sooner than anybody could have seen the question.",
            "The host declined by itself, sooner than anybody could have seen the question. Instead: pass --yes."
        },
        { new ElicitationOutcome<bool>.Cancelled(AnsweredBy.Person), "The user dismissed the question.", "The user dismissed the question. Instead: pass --yes." },
        {
            new ElicitationOutcome<bool>.Cancelled(AnsweredBy.Machine),
            "The host dismissed the question by itself, sooner than anybody could have seen it.",
            "The host dismissed the question by itself, sooner than anybody could have seen it. Instead: pass --yes."
        },
        {
            new ElicitationOutcome<bool>.Unsupported(new(ElicitationMode.Form, null, "1", "2025-11-25", null, "It has no hands.")),
            "The host cannot be asked by a form. It has no hands.",
            "The host cannot be asked by a form. It has no hands. Instead: pass --yes."
        },
        {
            new ElicitationOutcome<bool>.TimedOut(TimeSpan.FromMinutes(5)),
            "Nobody answered within 5 minutes.",
            "Nobody answered within 5 minutes. Instead: pass --yes."
        },
        {
            new ElicitationOutcome<bool>.TimedOut(TimeSpan.FromSeconds(90.5)),
            "Nobody answered within 90.5 s.",
            "Nobody answered within 90.5 s. Instead: pass --yes."
        },
        {
            new ElicitationOutcome<bool>.Failed("It is on fire.", -32603),
            "The question got no usable answer: It is on fire.",
            "The question got no usable answer: It is on fire. Instead: pass --yes."
        },
    };

    [Theory]
    [MemberData(nameof(Explanations), DisableDiscoveryEnumeration = true)]
    public void A_confirmation_explains_itself(ElicitationOutcome<bool> outcome, string alone, string withWorkaround)
    {
        var confirmation = new Confirmation(outcome);

        Assert.Equal(outcome == new ElicitationOutcome<bool>.Accepted(true), confirmation.Given);
        Assert.Equal(alone, confirmation.Explain());
        Assert.Equal(withWorkaround, confirmation.Explain("pass --yes"));
    }

    private static PipeServer StartPipe(Host host, Action<IMcpServerBuilder>? configure = null) => PipeServer.Start(builder =>
    {
        host.Configure(builder);
        configure?.Invoke(builder);
    });

    private static async Task<string> ConfirmAsync(McpClient client) => (await client.CallAsync("confirm")).Text;

    private sealed record Named(string Name);

    /// <summary>A host that answers everything in the same way, and takes the time for it that the test says.</summary>
    private sealed class Host
    {
        private readonly FakeTimeProvider _time = new();

        public TimeSpan Thinks { get; set; }

        public string Action { get; set; } = "accept";

        public string? Content { get; set; } = """{"answer":"Yes"}""";

        /// <summary>What it does with a page to open.</summary>
        public string UrlAction { get; set; } = "accept";

        /// <summary>What it does with the probe's form.</summary>
        public string Probed { get; set; } = "accept";

        public List<ElicitRequestParams> Asked { get; } = [];

        /// <summary>What the last confirmation came to.</summary>
        public string? Outcome { get; private set; }

        /// <summary>Adds the tool that asks, and the clock.</summary>
        public void Configure(IMcpServerBuilder builder)
        {
            builder.Services.AddSingleton<TimeProvider>(_time);
            builder.WithTool("confirm", async (RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken) =>
            {
                var confirmation = await context.ConfirmAsync("Delete 3 files?", cancellationToken);
                Outcome = confirmation.Outcome.GetType().Name;
                return $"{(confirmation.Given ? "given" : "not given")}: {confirmation.Explain()}";
            });
        }

        public McpClientOptions Options(string revision) => Clients.Options(revision, (question, _) =>
        {
            Asked.Add(question);
            _time.Advance(Thinks);
            return Task.FromResult(question switch
            {
                { Mode: "url" } => new() { Action = UrlAction },
                _ when question.RequestedSchema!.Properties.ContainsKey("value") => AnswerToProbe(),
                _ => Answer(),
            });
        });

        private ElicitResult Answer() => new()
        {
            Action = Action,
            Content = Content is null ? null : JsonElement.Parse(Content).EnumerateObject().ToDictionary(member => member.Name, member => member.Value),
        };

        private ElicitResult AnswerToProbe() => Probed switch
        {
            "accept" => Clients.Accept("ok"),
            "first_option" => Clients.Accept("left"),
            _ => new() { Action = Probed },
        };
    }
}
