using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using ModelContextProtocol;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>Several questions in one tool, and what travels between its runs.</summary>
public sealed class AskingTests
{
    public static TheoryData<string> Eras => [Clients.InitializeEra, Clients.PerRequestEra];

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task Questions_one_after_the_other_are_all_answered(string revision)
    {
        await using var server = Start(Tool("plan", async (context, _) => $"{await AskAsync(context, "Where?")}, {await AskAsync(context, "When?")}, {await AskAsync(context, "Who?")}"));
        var host = new Host(revision);
        await using var client = await server.ConnectAsync(host.Options);

        Assert.Equal("Where!, When!, Who!", await client.CallTextAsync("plan"));
        Assert.Equal(["Where?", "When?", "Who?"], host.Asked);
    }

    [Fact]
    public async Task The_code_before_a_question_runs_again_and_the_code_after_the_last_one_does_not()
    {
        var (before, between, after) = (0, 0, 0);
        await using var server = Start(Tool("plan", async (context, _) =>
        {
            before++;
            await AskAsync(context, "Where?");
            between++;
            await AskAsync(context, "When?");
            return $"{++after}";
        }));
        await using var client = await server.ConnectAsync(new Host(Clients.PerRequestEra).Options);

        await client.CallTextAsync("plan");

        Assert.Equal((3, 2, 1), (before, between, after));
    }

    [Fact]
    public async Task Questions_started_together_share_a_round()
    {
        var runs = 0;
        await using var server = Start(Tool("plan", async (context, _) =>
        {
            runs++;
            return string.Join(", ", await Task.WhenAll(AskAsync(context, "Where?"), AskAsync(context, "When?"), AskAsync(context, "Who?")));
        }));
        var host = new Host(Clients.PerRequestEra);
        await using var client = await server.ConnectAsync(host.Options);

        Assert.Equal("Where!, When!, Who!", await client.CallTextAsync("plan"));
        Assert.Equal(2, runs);
        Assert.Equal(["When?", "Where?", "Who?"], host.Asked.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task On_the_back_channel_a_call_has_one_open_question_at_a_time()
    {
        await using var server = Start(Tool("plan", async (context, _) => string.Join(", ", await Task.WhenAll(AskAsync(context, "Where?"), AskAsync(context, "When?")))));
        var (open, most) = (0, 0);
        var host = new Host(Clients.InitializeEra, async message =>
        {
            most = Math.Max(most, Interlocked.Increment(ref open));
            await Task.Yield();
            Interlocked.Decrement(ref open);
            return Host.Accept(message);
        });
        await using var client = await server.ConnectAsync(host.Options);

        Assert.Equal("Where!, When!", await client.CallTextAsync("plan"));
        Assert.Equal(1, most);
    }

    [Fact]
    public async Task Answers_stay_with_their_keys_when_the_order_of_the_questions_changes()
    {
        var runs = 0;
        await using var server = Start(Tool("plan", async (context, _) =>
        {
            var asked = new List<(string Key, Task<string> Answer)>();
            foreach (var key in runs++ % 2 == 0 ? new[] { "from", "to" } : ["to", "from"])
            {
                asked.Add((key, AskAsync(context, $"{key}?", new() { Key = key })));
            }

            await Task.WhenAll(asked.Select(question => question.Answer));
            return string.Join(", ", asked.OrderBy(question => question.Key).Select(question => $"{question.Key}={question.Answer.Result}"));
        }));
        await using var client = await server.ConnectAsync(new Host(Clients.PerRequestEra).Options);

        Assert.Equal("from=from!, to=to!", await client.CallTextAsync("plan"));
    }

    [Fact]
    public async Task A_question_that_changed_since_it_was_asked_is_asked_again()
    {
        var runs = 0;
        await using var server = Start(Tool("plan", async (context, _) => await AskAsync(context, runs++ == 0 ? "Old?" : "New?")));
        var host = new Host(Clients.PerRequestEra);
        await using var client = await server.ConnectAsync(host.Options);

        Assert.Equal("New!", await client.CallTextAsync("plan"));
        Assert.Equal(["Old?", "New?"], host.Asked);
    }

    [Fact]
    public async Task After_ten_rounds_a_question_fails_where_the_client_would_throw()
    {
        await using var server = Start(Tool("plan", async (context, _) =>
        {
            var answers = 0;
            for (var i = 0; i < 11; i++)
            {
                var outcome = await context.TryElicitAsync<Answer>($"Question {i}?", Clients.Cancellation);
                if (outcome is ElicitationOutcome<Answer>.Failed failed)
                {
                    return $"{answers}: {failed.Error}";
                }

                answers++;
            }

            return "all";
        }));
        await using var newer = await server.ConnectAsync(new Host(Clients.PerRequestEra).Options);

        Assert.StartsWith("10: The call asked in 10 rounds already", await newer.CallTextAsync("plan"), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task A_catch_around_a_question_does_not_keep_it_from_the_host(string revision)
    {
        await using var server = Start(Tool("plan", async (context, _) =>
        {
            try
            {
                return await AskAsync(context, "Where?");
            }
            catch (Exception)
            {
                return "swallowed";
            }
        }), Tool("rethrow", async (context, _) =>
        {
            try
            {
                return await AskAsync(context, "Where?");
            }
            catch (Exception error)
            {
                throw new InvalidOperationException("wrapped", error);
            }
        }));
        await using var client = await server.ConnectAsync(new Host(revision).Options);

        Assert.Equal("Where!", await client.CallTextAsync("plan"));
        Assert.Equal("Where!", await client.CallTextAsync("rethrow"));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task Prompts_and_resources_ask_like_tools(string revision)
    {
        await using var server = PipeServer.Start(builder => builder
            .WithPrompts([McpServerPrompt.Create(
                async (RequestContext<GetPromptRequestParams> context) => await AskAsync(context, "Where?"), new() { Name = "plan" })])
            .WithResources([McpServerResource.Create(
                async (McpServer asked) => (await asked.TryElicitAsync<Answer>("When?", Clients.Cancellation)).Explain(), new() { UriTemplate = "plan://it", Name = "plan" })]));
        await using var client = await server.ConnectAsync(new Host(revision).Options);

        var prompt = await client.GetPromptAsync("plan", cancellationToken: Clients.Cancellation);
        var resource = await client.ReadResourceAsync("plan://it", cancellationToken: Clients.Cancellation);

        Assert.Equal("Where!", Assert.IsType<TextContentBlock>(Assert.Single(prompt.Messages).Content).Text);
        Assert.Equal("The user answered.", Assert.IsType<TextResourceContents>(Assert.Single(resource.Contents)).Text);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task The_sdks_parameters_are_asked_as_they_are(string revision)
    {
        ElicitRequestParams? asked = null;
        await using var server = Start(Tool("plan", async (context, cancellationToken) =>
        {
            var outcome = await context.TryElicitAsync(
                new ElicitRequestParams
                {
                    Message = "Where?",
                    RequestedSchema = new()
                    {
                        Properties = { ["text"] = new ElicitRequestParams.StringSchema { Title = "Place", MinLength = 2, Default = "Rome" } },
                        Required = ["text"],
                    },
                },
                cancellationToken: cancellationToken);
            return outcome.TryGetValue(out var content) ? content["text"].GetString()! : outcome.Explain();
        }));
        var options = Clients.Options(revision, (question, _) =>
        {
            asked = question;
            return Task.FromResult(Host.Accept(question.Message));
        });
        await using var client = await server.ConnectAsync(options);

        Assert.Equal("Where!", await client.CallTextAsync("plan"));
        var field = Assert.IsType<ElicitRequestParams.StringSchema>(asked!.RequestedSchema!.Properties["text"]);
        Assert.Equal(("Place", 2, "Rome"), (field.Title, field.MinLength, field.Default));
    }

    [Theory]
    [InlineData(Clients.InitializeEra, true)]
    [InlineData(Clients.PerRequestEra, false)]
    public async Task A_url_is_accepted_as_the_user_was_shown_it(string revision, bool hasId)
    {
        ElicitRequestParams? asked = null;
        await using var server = Start(Tool("pay", async (context, cancellationToken) =>
        {
            var outcome = await context.TryElicitUrlAsync("Please pay.", new($"https://example.com/pay/{Guid.NewGuid():N}"), cancellationToken: cancellationToken);
            return outcome.TryGetValue(out var page) ? $"{page.Url} {page.ElicitationId}" : outcome.Explain();
        }));
        var options = Clients.Options(revision, (question, _) =>
        {
            Assert.Null(asked);
            asked = question;
            return Task.FromResult(new ElicitResult { Action = "accept" });
        });
        await using var client = await server.ConnectAsync(options);

        var answer = await client.CallTextAsync("pay");

        Assert.Equal($"{asked!.Url} {asked.ElicitationId}", answer);
        Assert.Equal(hasId, asked.ElicitationId is not null);
    }

    [Fact]
    public async Task A_time_out_takes_the_question_back_and_a_late_answer_changes_nothing()
    {
        var time = new FakeTimeProvider();
        await using var server = Start(time, Tool("plan", async (context, cancellationToken) =>
            (await context.TryElicitAsync<Answer>("Where?", new ElicitOptions { Timeout = TimeSpan.FromSeconds(90) }, cancellationToken)).Explain("say where")));
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync("""{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"plan"}}""");
        var question = await client.ReadRequestAsync("elicitation/create");

        time.Advance(TimeSpan.FromSeconds(90));

        Assert.Equal("Nobody answered within 90 s. Instead: say where.", WireClient.ToolText(WireClient.Result(await client.ReadAnswerAsync(50))));
        var cancelled = await client.ReadRequestAsync("notifications/cancelled");
        Assert.Equal(question.GetProperty("id").GetRawText(), cancelled.GetProperty("params").GetProperty("requestId").GetRawText());
        await client.RespondAsync(question, """ "result":{"action":"accept","content":{"text":"late"}} """);
        Assert.Contains("tools", await client.RequestAsync("tools/list", "{}"));
    }

    [Fact]
    public async Task A_server_whose_input_ends_does_not_wait_for_an_answer()
    {
        var outcome = new TaskCompletionSource<string>();
        var server = Start(Tool("plan", async (context, cancellationToken) =>
        {
            outcome.SetResult(await AskAsync(context, "Where?", cancellationToken: cancellationToken));
            return "";
        }));
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync("""{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"plan"}}""");
        await client.ReadRequestAsync("elicitation/create");

        await server.DisposeAsync();

        Assert.Equal("The question got no usable answer: The question did not get through: The host went away while the question was open.", await outcome.Task.WaitAsync(Clients.Cancellation));
    }

    [Fact]
    public async Task A_cancelled_call_ends_its_question()
    {
        var ended = new TaskCompletionSource<Exception>();
        await using var server = Start(Tool("plan", async (context, cancellationToken) =>
        {
            try
            {
                return await AskAsync(context, "Where?", cancellationToken: cancellationToken);
            }
            catch (Exception error)
            {
                ended.SetResult(error);
                throw;
            }
        }));
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync("""{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"plan"}}""");
        await client.ReadRequestAsync("elicitation/create");

        await client.SendAsync("""{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":50}}""");

        Assert.IsAssignableFrom<OperationCanceledException>(await ended.Task.WaitAsync(Clients.Cancellation));
        await client.ReadRequestAsync("notifications/cancelled");
    }

    [Theory]
    [InlineData(""" "result":{"action":"reject"} """, "/action")]
    [InlineData(""" "result":{} """, "action")]
    [InlineData(""" "result":{"action":"accept","content":{"text":7}} """, "/content/text")]
    [InlineData(""" "result":{"action":"accept","content":{}} """, "text")]
    [InlineData(""" "result":{"action":"accept","content":null} """, "content")]
    [InlineData(""" "result":[] """, "no usable answer")]
    [InlineData(""" "error":{"code":-32601,"message":"no such method"} """, "the error -32601: no such method")]
    [InlineData(""" "error":{"code":-32000,"message":"the window is gone"} """, "the error -32000: the window is gone")]
    public async Task An_answer_that_is_none_is_a_failure_that_says_why(string response, string why)
    {
        await using var server = Start(Tool("plan", (context, _) => AskAsync(context, "Where?")));
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync("""{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"plan"}}""");

        await client.RespondAsync(await client.ReadRequestAsync("elicitation/create"), response);

        var text = WireClient.ToolText(WireClient.Result(await client.ReadAnswerAsync(50)));
        Assert.StartsWith("The question got no usable answer:", text, StringComparison.Ordinal);
        Assert.Contains(why, text);
    }

    [Theory]
    [InlineData("""{"q1":{"action":"accept","content":{"text":"v"}}}""", false, "an answer without the state that asked")]
    [InlineData("""{"q7":{"action":"accept","content":{"text":"v"}}}""", true, "an answer that was not asked for")]
    [InlineData("{}", true, "no answer")]
    [InlineData("""{"q1":null}""", true, "null")]
    [InlineData("""{"q1":12345}""", true, "a number")]
    [InlineData("""{"q1":{}}""", true, "an answer without an action")]
    public async Task What_does_not_answer_the_question_has_it_asked_again(string responses, bool withState, string why)
    {
        await using var server = Start(Tool("plan", (context, _) => AskAsync(context, "Where?")));
        var client = server.ConnectWire();
        var call = new RepeatedCall("{}", Tool: "plan");
        var asked = WireClient.Result(await client.RequestAsync("tools/call", call.First));

        var again = WireClient.Result(await client.RequestAsync("tools/call", call.Answer(withState ? RepeatedCall.State(asked) : null, responses)));

        Assert.True(again.TryGetProperty("inputRequests", out var questions), $"{why} was taken: {again}");
        Assert.True(questions.TryGetProperty("q1", out _));
        var answered = WireClient.Result(await client.RequestAsync(
            "tools/call", call.Answer(RepeatedCall.State(again), """{"q1":{"action":"accept","content":{"text":"v"}}}""")));
        Assert.Equal("v", WireClient.ToolText(answered));
    }

    [Fact]
    public async Task A_state_that_is_not_this_calls_own_ends_it_with_an_error_that_says_what_to_do()
    {
        var time = new FakeTimeProvider(DateTimeOffset.UnixEpoch.AddYears(56));
        await using var server = Start(
            time,
            Tool("plan", (context, _) => AskAsync(context, "Where?")),
            Tool("other", (context, _) => AskAsync(context, "Where?")),
            Tool("swallow", async (context, _) =>
            {
                try
                {
                    return await AskAsync(context, "Where?");
                }
                catch (Exception)
                {
                    return "swallowed";
                }
            }));
        var client = server.ConnectWire();
        const string Answers = """{"q1":{"action":"accept","content":{"text":"v"}}}""";
        var call = new RepeatedCall("""{"a":1}""", Tool: "plan");
        var state = RepeatedCall.State(WireClient.Result(await client.RequestAsync("tools/call", call.First)));

        foreach (var (refused, why) in new[]
        {
            (call.Answer($"{state[..^5]}{(state[^5] == 'A' ? 'B' : 'A')}{state[^4..]}", Answers), "changed"),
            (call.Answer("x", Answers), ""),
            ((call with { Arguments = """{"a":2}""" }).Answer(state, Answers), "other arguments"),
            ((call with { Tool = "other" }).Answer(state, Answers), "other"),
            ((call with { Tool = "swallow" }).Answer(state, Answers), "other"),
        })
        {
            var answer = await client.RequestAsync("tools/call", refused);

            Assert.True(WireClient.ErrorCode(answer) == -32602, answer);
            Assert.Contains("Make the call again without requestState", answer);
            Assert.Contains(why, answer);
        }

        time.Advance(TimeSpan.FromMinutes(5) - TimeSpan.FromMilliseconds(1));
        Assert.Equal("v", WireClient.ToolText(WireClient.Result(await client.RequestAsync("tools/call", call.Answer(state, Answers)))));
        time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Contains("expired", await client.RequestAsync("tools/call", call.Answer(state, Answers)));
    }

    [Fact]
    public async Task An_earlier_answer_cannot_be_changed_by_the_client()
    {
        await using var server = Start(Tool("plan", async (context, _) => $"{await AskAsync(context, "Where?")} {await AskAsync(context, "When?")}"));
        var client = server.ConnectWire();
        var call = new RepeatedCall("{}", Tool: "plan");
        var first = WireClient.Result(await client.RequestAsync("tools/call", call.First));
        var second = WireClient.Result(await client.RequestAsync("tools/call", call.Answer(RepeatedCall.State(first), """{"q1":{"action":"accept","content":{"text":"one"}}}""")));

        var third = WireClient.Result(await client.RequestAsync(
            "tools/call",
            call.Answer(RepeatedCall.State(second), """{"q1":{"action":"accept","content":{"text":"other"}},"q2":{"action":"accept","content":{"text":"two"}}}""")));

        Assert.Equal("one two", WireClient.ToolText(third));
    }

    [Fact]
    public void A_key_that_cannot_come_back_is_refused()
    {
        foreach (var key in new[] { "", " ", "key\ud83d" })
        {
            Assert.ThrowsAny<ArgumentException>(() => new ElicitOptions { Key = key });
        }
    }

    [Fact]
    public async Task A_question_after_the_end_of_its_call_is_an_error_of_the_author()
    {
        RequestContext<CallToolRequestParams>? kept = null;
        McpServer? keptServer = null;
        await using var server = Start(Tool("plan", (context, _) =>
        {
            (kept, keptServer) = (context, context.Server);
            return Task.FromResult("done");
        }));
        await using var client = await server.ConnectAsync(new Host(Clients.InitializeEra).Options);
        await client.CallTextAsync("plan");

        var late = await Assert.ThrowsAsync<InvalidOperationException>(() => kept!.ConfirmAsync("Really?", Clients.Cancellation));
        var outside = await Assert.ThrowsAsync<InvalidOperationException>(async () => await keptServer!.ConfirmAsync("Really?", Clients.Cancellation));

        Assert.Contains("after the end of its call", late.Message);
        Assert.Contains("Ask within a tool", outside.Message);
    }

    [Fact]
    public async Task A_server_without_the_doctor_is_told_what_to_add()
    {
        var services = new ServiceCollection();
        services.AddMcpServer().WithTools([Tool("plan", (context, _) => AskAsync(context, "Where?"))]);
        await using var provider = services.BuildServiceProvider();
        await using var session = PipeServer.StartSession(provider);
        var errors = new List<Exception>();
        var tool = Tool("plan", async (context, _) =>
        {
            errors.Add(await Assert.ThrowsAsync<InvalidOperationException>(() => context.ConfirmAsync("Really?", Clients.Cancellation)));
            return "told";
        });
        session.Server.ServerOptions.ToolCollection!.Clear();
        session.Server.ServerOptions.ToolCollection.Add(tool);
        await using var client = await session.ConnectAsync(new Host(Clients.InitializeEra).Options);

        Assert.Equal("told", await client.CallTextAsync("plan"));
        Assert.Contains(".WithElicitDoctor()", Assert.Single(errors).Message);
    }

    internal sealed record Answer(string Text);

    private static PipeServer Start(params McpServerTool[] tools) => PipeServer.Start(builder => builder.WithTools(tools));

    private static PipeServer Start(TimeProvider time, params McpServerTool[] tools) => PipeServer.Start(builder =>
    {
        builder.Services.AddSingleton(time);
        builder.WithTools(tools);
    });

    private static McpServerTool Tool(string name, Func<RequestContext<CallToolRequestParams>, CancellationToken, Task<string>> body) => McpServerTool.Create(
        (RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken) => body(context, cancellationToken), new() { Name = name });

    private static async Task<string> AskAsync(MessageContext context, string message, ElicitOptions? options = null, CancellationToken cancellationToken = default)
    {
        var outcome = await context.TryElicitAsync(message, AskingTestsJson.Default.Answer, options, cancellationToken);
        return outcome.TryGetValue(out var answer) ? answer.Text : outcome.Explain();
    }

    /// <summary>A host that answers "Where?" with "Where!", or as it is told.</summary>
    private sealed class Host
    {
        public Host(string revision, Func<string, Task<ElicitResult>>? answer = null) => Options = Clients.Options(revision, async (question, _) =>
        {
            lock (Asked)
            {
                Asked.Add(question.Message);
            }

            return answer is null ? Accept(question.Message) : await answer(question.Message);
        });

        public McpClientOptions Options { get; }

        public List<string> Asked { get; } = [];

        public static ElicitResult Accept(string message) => new()
        {
            Action = "accept",
            Content = new Dictionary<string, JsonElement> { ["text"] = JsonSerializer.SerializeToElement(message.Replace('?', '!')) },
        };
    }
}

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(AskingTests.Answer))]
internal sealed partial class AskingTestsJson : JsonSerializerContext;
