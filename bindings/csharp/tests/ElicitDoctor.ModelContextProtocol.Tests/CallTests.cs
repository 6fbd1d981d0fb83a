using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>Questions and the call that they belong to: whose it is, when it ends, whose clock counts.</summary>
public sealed class CallTests
{
    private const string Yes = """ "result":{"action":"accept","content":{"answer":"Yes"}} """;

    [Fact]
    public async Task The_user_of_another_session_is_not_asked()
    {
        McpServer? kept = null;
        await using var services = PipeServer.Services(builder => builder
            .WithTool("keep", (McpServer server) => (kept = server) is null ? "" : "kept")
            .WithTool("ask_user", async () =>
            {
                try
                {
                    return (await kept!.ConfirmAsync("Really?", Clients.Cancellation)).Explain();
                }
                catch (InvalidOperationException error)
                {
                    return error.Message;
                }
            }));
        await using var first = PipeServer.StartSession(services);
        await using var second = PipeServer.StartSession(services);
        await using var one = await first.ConnectAsync(Clients.Options(Clients.InitializeEra, (_, _) => throw new InvalidOperationException("asked")));
        await using var two = await second.ConnectAsync(Clients.Options(Clients.InitializeEra, (_, _) => throw new InvalidOperationException("asked")));
        Assert.Equal("kept", await one.CallTextAsync("keep"));

        Assert.Contains("Ask within a tool", await two.CallTextAsync("ask_user"));
    }

    [Theory]
    [InlineData("true")]
    [InlineData("1.5")]
    [InlineData("12345678901234567890123")]
    [InlineData("1,\"progressToken\":2")]
    public async Task A_progress_token_that_is_none_hinders_no_question(string token)
    {
        await using var server = Start(new(), Confirm());
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync($$"""{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"confirm","_meta":{"progressToken":{{token}} } } }""");

        if (token.Contains(':') && typeof(McpServer).Assembly.GetName().Version < new Version(2, 4))
        {
            // Before 2.4.0 the SDK refuses a member that is there twice, before any tool runs.
            Assert.Equal(-32603, WireClient.ErrorCode(await client.ReadAnswerAsync(50)));
            return;
        }

        await client.RespondAsync(await client.ReadRequestAsync("elicitation/create"), Yes);

        Assert.Equal("given", WireClient.ToolText(WireClient.Result(await client.ReadAnswerAsync(50))));
    }

    [Fact]
    public async Task The_progress_of_a_call_grows_over_all_its_questions()
    {
        await using var server = Start(new(), Tool("twice", async context =>
            $"{(await context.ConfirmAsync("Really?")).Given} {(await context.ConfirmAsync("Sure?")).Given}"));
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync("""{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"twice","_meta":{"progressToken":1}}}""");

        foreach (var expected in new[] { 1, 2 })
        {
            var progress = await client.ReadRequestAsync("notifications/progress");
            Assert.Equal(expected, progress.GetProperty("params").GetProperty("progress").GetInt32());
            await client.RespondAsync(await client.ReadRequestAsync("elicitation/create"), Yes);
        }

        Assert.Equal("True True", WireClient.ToolText(WireClient.Result(await client.ReadAnswerAsync(50))));
    }

    [Fact]
    public async Task A_cancelled_call_takes_its_question_back_though_the_tool_passed_no_token()
    {
        await using var server = Start(new(), Confirm());
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync("""{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"confirm"}}""");
        var question = await client.ReadRequestAsync("elicitation/create");

        await client.SendAsync("""{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":50}}""");

        await AssertTakenBackAsync(client, question);
    }

    [Fact]
    public async Task A_question_that_nobody_waits_for_any_more_is_taken_back_when_the_call_ends()
    {
        await using var server = Start(new(), Tool("leave", context =>
        {
            _ = context.ConfirmAsync("Really?");
            return Task.FromResult("left");
        }));
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync("""{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"leave"}}""");

        Assert.Equal("left", WireClient.ToolText(WireClient.Result(await client.ReadAnswerAsync(50))));
        await AssertTakenBackAsync(client, await client.ReadRequestAsync("elicitation/create"));
    }

    [Theory]
    [InlineData("")]
    [InlineData(""","_meta":{"progressToken":1}""")]
    public async Task A_host_that_stops_reading_does_not_outlast_the_time_out(string meta)
    {
        var time = new FakeTimeProvider();
        var asking = new TaskCompletionSource();
        var outcome = new TaskCompletionSource<string>();
        await using var server = Start(time, Tool("ask_user", async context =>
        {
            // More than the pipe holds, so that sending it waits for the host.
            var question = context.ConfirmAsync($"Really{new string('?', 200_000)}");
            asking.SetResult();
            outcome.SetResult((await question).Outcome.ToString());
            return "";
        }));
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync($$"""{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"ask_user"{{meta}} } }""");
        await asking.Task.WaitAsync(Clients.Cancellation);

        time.Advance(TimeSpan.FromMinutes(5));

        Assert.StartsWith("TimedOut", await outcome.Task.WaitAsync(Clients.Cancellation), StringComparison.Ordinal);
        _ = client.ReadToEndAsync();
    }

    [Fact]
    public async Task A_tool_that_the_sdk_runs_again_for_its_own_question_can_ask_by_ours()
    {
        await using var server = Start(new(), Tool("both", async context =>
        {
            if (context.Params!.InputResponses is null)
            {
                throw new InputRequiredException(
                    new Dictionary<string, InputRequest>
                    {
                        ["own"] = InputRequest.ForElicitation(new()
                        {
                            Message = "First?",
                            RequestedSchema = new() { Properties = { ["answer"] = new ElicitRequestParams.StringSchema() } },
                        }),
                    },
                    "own");
            }

            return (await context.ConfirmAsync("Second?")).Given ? "given" : "not given";
        }));
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync("""{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"both"}}""");

        await client.RespondAsync(await client.ReadRequestAsync("elicitation/create"), Yes);
        await client.RespondAsync(await client.ReadRequestAsync("elicitation/create"), Yes);

        Assert.Equal("given", WireClient.ToolText(WireClient.Result(await client.ReadAnswerAsync(50))));
    }

    [Fact]
    public async Task Two_equal_questions_under_one_key_are_two_and_one_yes_is_not_enough()
    {
        var deleted = 0;
        await using var server = Start(new(), Tool("delete", async context =>
        {
            for (var i = 0; i < 3; i++)
            {
                deleted += (await context.ConfirmAsync("Delete the file?", new ConfirmOptions { Key = "delete" })).Given ? 1 : 0;
            }

            return $"{deleted}";
        }));
        var client = server.ConnectWire();
        var call = new RepeatedCall("{}", Tool: "delete");
        var asked = WireClient.Result(await client.RequestAsync("tools/call", call.First));

        var again = await client.RequestAsync("tools/call", call.Answer(RepeatedCall.State(asked), """{"delete":{"action":"accept","content":{"answer":"Yes"}}}"""));

        Assert.Contains("one answer would count for both", WireClient.ToolText(WireClient.Result(again)));
        Assert.Equal(1, deleted);
    }

    [Theory]
    [InlineData(Yes, "given")]
    [InlineData(""" "result":{"action":"decline"} """, "The user declined.")]
    public async Task Clocks_that_disagree_make_no_machine_of_a_person(string answer, string expected)
    {
        byte[] key = [.. Enumerable.Repeat((byte)1, 32)];
        var call = new RepeatedCall("{}", Tool: "confirm");
        var now = DateTimeOffset.UnixEpoch.AddYears(56);
        await using var ahead = Start(new(now.AddSeconds(2)), Confirm(), key);
        await using var behind = Start(new(now.AddSeconds(1.5)), Confirm(), key);
        var asked = WireClient.Result(await ahead.ConnectWire().RequestAsync("tools/call", call.First));
        var result = answer[answer.IndexOf('{')..].Trim();

        var answered = await behind.ConnectWire().RequestAsync("tools/call", call.Answer(RepeatedCall.State(asked), $$"""{"q1":{{result}} }"""));

        Assert.Equal(expected, WireClient.ToolText(WireClient.Result(answered)));
    }

    private static async Task AssertTakenBackAsync(WireClient client, System.Text.Json.JsonElement question)
    {
        var cancelled = await client.ReadRequestAsync("notifications/cancelled");
        Assert.Equal(question.GetProperty("id").GetRawText(), cancelled.GetProperty("params").GetProperty("requestId").GetRawText());
    }

    private static McpServerTool Confirm() => Tool("confirm", async context =>
    {
        var confirmation = await context.ConfirmAsync("Really?");
        return confirmation.Given ? "given" : confirmation.Explain();
    });

    private static McpServerTool Tool(string name, Func<RequestContext<CallToolRequestParams>, Task<string>> body) =>
        McpServerTool.Create((RequestContext<CallToolRequestParams> context) => body(context), new() { Name = name });

    private static PipeServer Start(FakeTimeProvider time, McpServerTool tool, byte[]? key = null) => PipeServer.Start(builder =>
    {
        builder.Services.AddSingleton<TimeProvider>(time);
        builder.WithTools([tool]).WithElicitDoctor(options =>
        {
            // The clock stands still while a test answers.
            options.ShortestConfirmation = key is null ? TimeSpan.Zero : options.ShortestConfirmation;
            if (key is not null)
            {
                options.StateKeys.Add(key);
            }
        });
    });
}
