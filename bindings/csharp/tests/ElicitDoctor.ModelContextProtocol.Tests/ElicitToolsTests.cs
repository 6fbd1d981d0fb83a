using System.Text.Json;
using System.Text.Json.Nodes;
using Json.Schema;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using ModelContextProtocol;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary><c>elicit_confirm</c> and <c>elicit_form</c>: the model asks, and is told apart what came of it.</summary>
public sealed class ElicitToolsTests
{
    private const string Confirm = "elicit_confirm";
    private const string Form = "elicit_form";
    private const string Schema = """{"type":"object","properties":{"name":{"type":"string"},"guests":{"type":"integer","minimum":1}},"required":["name"]}""";
    private const string Answer = """{"name":"Ann","guests":2}""";

    private static readonly TimeSpan Thinking = TimeSpan.FromSeconds(3);

    public static TheoryData<string> Eras => new(Clients.InitializeEra, Clients.PerRequestEra);

    [Theory]
    [InlineData(null, new[] { "elicit_doctor" })]
    [InlineData(ElicitDoctorTools.None, new string[0])]
    [InlineData(ElicitDoctorTools.Doctor, new[] { "elicit_doctor" })]
    [InlineData(ElicitDoctorTools.Confirm, new[] { Confirm })]
    [InlineData(ElicitDoctorTools.Form, new[] { Form })]
    [InlineData(ElicitDoctorTools.Doctor | ElicitDoctorTools.Form, new[] { "elicit_doctor", Form })]
    [InlineData(ElicitDoctorTools.All, new[] { Confirm, "elicit_doctor", Form })]
    public async Task The_server_has_the_tools_that_its_author_wants(ElicitDoctorTools? wanted, string[] names)
    {
        await using var server = PipeServer.Start(builder => builder.WithElicitDoctor(options => options.Tools = wanted ?? options.Tools));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: true, url: false));

        Assert.Equal(names, (await client.ToolNamesAsync()).Where(name => name.StartsWith("elicit_")));
    }

    [Fact]
    public void Tools_that_do_not_exist_are_refused() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new ElicitDoctorOptions { Tools = (ElicitDoctorTools)8 });

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task The_tools_are_listed_with_their_schemas_and_annotations(string revision)
    {
        await using var server = Start();
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: true, url: false));

        var tools = await client.ListToolsAsync(cancellationToken: Clients.Cancellation);

        foreach (var (name, required) in new[] { (Confirm, """["message"]"""), (Form, """["message","schema"]""") })
        {
            var tool = tools.Single(tool => tool.Name == name).ProtocolTool;
            Assert.Equal(required, tool.InputSchema.GetProperty("required").GetRawText());
            Assert.NotNull(tool.OutputSchema);
            Assert.True(tool.Annotations is { ReadOnlyHint: true, DestructiveHint: false, OpenWorldHint: false });
        }
    }

    public static TheoryData<string, string?, bool, string> ConfirmResults => new()
    {
        // action, content, whether a person took the time; what the model gets
        { "accept", """{"answer":"Yes"}""", true, """{"confirmed":true}""" },
        { "accept", """{"answer":"No"}""", true, """{"confirmed":false}""" },
        { "accept", """{"answer":"No"}""", false, """{"confirmed":false}""" },
        { "decline", null, true, """{"confirmed":false}""" },
        {
            "decline", null, false,
            """{"confirmed":false,"detail":"The host declined by itself, sooner than anybody could have seen the question.","answeredBy":"machine"}"""
        },
        { "cancel", null, true, """{"confirmed":null,"reason":"dismissed","detail":"The user dismissed the question."}""" },
        {
            "cancel", null, false,
            """{"confirmed":null,"reason":"dismissed","detail":"The host dismissed the question by itself, sooner than anybody could have seen it.","answeredBy":"machine"}"""
        },
        { "accept", """{"answer":"Yes"}""", false, """{"confirmed":null,"reason":"unsupported","detail":"*It said yes after 0 ms, sooner than a person can*"}""" },
        { "accept", """{"answer":"Maybe"}""", true, """{"confirmed":null,"reason":"error","detail":"*/content/answer: *"}""" },
        { "accept", "{}", true, """{"confirmed":null,"reason":"error","detail":"The question got no usable answer: *"}""" },
        { "accept", null, true, """{"confirmed":null,"reason":"error","detail":"The question got no usable answer: *"}""" },
    };

    [Theory]
    [MemberData(nameof(ConfirmResults))]
    public async Task A_confirmation_tells_a_yes_a_no_and_no_decision_apart(string action, string? content, bool takesTime, string expected)
    {
        foreach (var revision in new[] { Clients.InitializeEra, Clients.PerRequestEra })
        {
            var time = new FakeTimeProvider();
            await using var server = Start(time);
            await using var client = await server.ConnectAsync(Answering(revision, time, takesTime, action, content));

            AssertLike(expected, await CallAsync(client, Confirm, """{"message":"Delete 3 files?"}"""));
        }
    }

    public static TheoryData<string, string?, bool, string> FormResults => new()
    {
        // action, content, whether a person took the time; what the model gets
        { "accept", Answer, true, $$"""{"action":"accept","content":{{Answer}}}""" },
        { "accept", """{"name":"Ann"}""", true, """{"action":"accept","content":{"name":"Ann"}}""" },
        { "accept", Answer, false, $$"""{"action":"accept","content":{{Answer}}}""" },
        { "decline", null, true, """{"action":"decline"}""" },
        {
            "decline", null, false,
            """{"action":"decline","detail":"The host declined by itself, sooner than anybody could have seen the question.","answeredBy":"machine"}"""
        },
        { "cancel", null, true, """{"action":"cancel","detail":"The user dismissed the question."}""" },
        {
            "cancel", null, false,
            """{"action":"cancel","detail":"The host dismissed the question by itself, sooner than anybody could have seen it.","answeredBy":"machine"}"""
        },
        { "accept", """{"name":"Ann","guests":0}""", true, """{"action":"error","detail":"The question got no usable answer: /content/guests: *"}""" },
        { "accept", """{"guests":2}""", true, """{"action":"error","detail":"The question got no usable answer: *"}""" },
        { "accept", null, true, """{"action":"error","detail":"The question got no usable answer: *"}""" },
    };

    [Theory]
    [MemberData(nameof(FormResults))]
    public async Task A_form_tells_what_came_of_it(string action, string? content, bool takesTime, string expected)
    {
        foreach (var revision in new[] { Clients.InitializeEra, Clients.PerRequestEra })
        {
            var time = new FakeTimeProvider();
            await using var server = Start(time);
            await using var client = await server.ConnectAsync(Answering(revision, time, takesTime, action, content));

            AssertLike(expected, await CallAsync(client, Form, $$"""{"message":"Who comes?","schema":{{Schema}}}"""));
        }
    }

    [Theory]
    [InlineData(Clients.InitializeEra, UnsupportedPolicy.Skip)]
    [InlineData(Clients.InitializeEra, UnsupportedPolicy.Deny)]
    [InlineData(Clients.PerRequestEra, UnsupportedPolicy.Skip)]
    [InlineData(Clients.PerRequestEra, UnsupportedPolicy.AskAgainWithArguments)]
    public async Task A_host_that_cannot_be_asked_is_a_result_whatever_the_policy_is(string revision, UnsupportedPolicy policy)
    {
        const string Detail = "The host tests 1 cannot be asked by a form. The client did not advertise elicitation.";
        await using var server = Start(configure: options => options.OnUnsupported = policy);
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: false, url: false));

        AssertLike($$"""{"confirmed":null,"reason":"unsupported","detail":"{{Detail}}"}""", await CallAsync(client, Confirm, """{"message":"Sure?"}"""));
        AssertLike($$"""{"action":"unsupported","detail":"{{Detail}}"}""", await CallAsync(client, Form, $$"""{"message":"Who?","schema":{{Schema}}}"""));
    }

    [Fact]
    public async Task A_host_that_answers_with_an_error_is_a_result()
    {
        await using var server = Start();
        await using var client = await server.ConnectAsync(Clients.Options(
            Clients.InitializeEra, (_, _) => throw new McpProtocolException("the dialog is on fire", McpErrorCode.InternalError)));

        AssertLike(
            """{"confirmed":null,"reason":"error","detail":"The question got no usable answer: The host answered with the error -32603: the dialog is on fire"}""",
            await CallAsync(client, Confirm, """{"message":"Sure?"}"""));
        AssertLike(
            """{"action":"error","detail":"The question got no usable answer: The host answered with the error -32603: the dialog is on fire"}""",
            await CallAsync(client, Form, $$"""{"message":"Who?","schema":{{Schema}}}"""));
    }

    [Theory]
    [InlineData("", 300, "5 minutes")]
    [InlineData(",\"timeoutSeconds\":60", 60, "60 s")]
    [InlineData(",\"timeoutSeconds\":90.0", 90, "90 s")]
    [InlineData(",\"timeoutSeconds\":3600", 3600, "60 minutes")]
    public async Task A_question_that_nobody_answers_in_time_is_a_result(string argument, int seconds, string waited)
    {
        var time = new FakeTimeProvider();
        var takenBack = new TaskCompletionSource<ElicitResult>();
        await using var server = Start(time);
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, (_, _) =>
        {
            time.Advance(TimeSpan.FromSeconds(seconds));
            return takenBack.Task.WaitAsync(Clients.Cancellation);
        }));

        AssertLike(
            $$"""{"confirmed":null,"reason":"timeout","detail":"Nobody answered within {{waited}}."}""",
            await CallAsync(client, Confirm, $$"""{"message":"Sure?"{{argument}}}"""));
        AssertLike(
            $$"""{"action":"timeout","detail":"Nobody answered within {{waited}}."}""",
            await CallAsync(client, Form, $$"""{"message":"Who?","schema":{{Schema}}{{argument}}}"""));
        takenBack.SetResult(new());
    }

    [Fact]
    public async Task The_server_may_be_set_up_to_wait_for_another_time()
    {
        var time = new FakeTimeProvider();
        var takenBack = new TaskCompletionSource<ElicitResult>();
        await using var server = Start(time, options => options.QuestionTimeout = TimeSpan.FromSeconds(20));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, (_, _) =>
        {
            time.Advance(TimeSpan.FromSeconds(20));
            return takenBack.Task.WaitAsync(Clients.Cancellation);
        }));

        AssertLike(
            """{"confirmed":null,"reason":"timeout","detail":"Nobody answered within 20 s."}""", await CallAsync(client, Confirm, """{"message":"Sure?"}"""));
        takenBack.SetResult(new());
    }

    [Theory]
    [InlineData("", 299)]
    [InlineData(",\"timeoutSeconds\":60", 59)]
    [InlineData(",\"timeoutSeconds\":3600", 3599)]
    public async Task An_answer_just_before_the_time_out_counts(string argument, int seconds)
    {
        foreach (var revision in new[] { Clients.InitializeEra, Clients.PerRequestEra })
        {
            var time = new FakeTimeProvider();
            await using var server = Start(time);
            await using var client = await server.ConnectAsync(Clients.Options(revision, (_, _) =>
            {
                time.Advance(TimeSpan.FromSeconds(seconds));
                return Task.FromResult(Result("accept", """{"answer":"Yes"}"""));
            }));

            AssertLike("""{"confirmed":true}""", await CallAsync(client, Confirm, $$"""{"message":"Sure?"{{argument}}}"""));
        }
    }

    [Theory]
    [InlineData(Confirm, """{"message":"Sure?"}""", 301)]
    [InlineData(Confirm, """{"message":"Sure?","timeoutSeconds":60}""", 61)]
    [InlineData(Form, """{"message":"Sure?","timeoutSeconds":3600,"schema":{"type":"object","properties":{"answer":{"type":"string"}}}}""", 3601)]
    public async Task In_the_per_request_era_an_answer_after_the_time_out_is_refused(string tool, string arguments, int seconds)
    {
        var time = new FakeTimeProvider();
        await using var server = Start(time);
        await using var client = await server.ConnectAsync(Clients.Options(Clients.PerRequestEra, (_, _) =>
        {
            time.Advance(TimeSpan.FromSeconds(seconds));
            return Task.FromResult(Result("accept", """{"answer":"Yes"}"""));
        }));

        var error = await Assert.ThrowsAsync<McpProtocolException>(() => CallAsync(client, tool, arguments));

        Assert.Equal(McpErrorCode.InvalidParams, error.ErrorCode);
        Assert.Contains("Make the call again without requestState, and the user is asked anew.", error.Message);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task The_labels_are_the_models(string revision)
    {
        var time = new FakeTimeProvider();
        await using var server = Start(time);
        var asked = new List<ElicitRequestParams>();
        var longest = new string('k', 40);
        await using var client = await server.ConnectAsync(Clients.Options(revision, (question, _) =>
        {
            asked.Add(question);
            time.Advance(Thinking);
            return Task.FromResult(Result("accept", """{"answer":"D"}"""));
        }));

        AssertLike(
            """{"confirmed":true}""",
            await CallAsync(client, Confirm, $$$"""{"message":"Delete 3 files?","labels":{"ok":"D","cancel":"{{{longest}}}"}}"""));
        AssertLike(
            """{"confirmed":true}""",
            await CallAsync(client, Confirm, """{"message":"Delete 3 files?","labels":{"ok":"D","cancel":null}}"""));

        Assert.All(asked, question => Assert.Equal("Delete 3 files?", question.Message));
        Assert.Equal([[longest, "D"], ["No", "D"]], asked.Select(question =>
            Assert.IsType<ElicitRequestParams.UntitledSingleSelectEnumSchema>(Assert.Single(question.RequestedSchema!.Properties).Value).Enum));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task The_form_goes_out_as_the_model_wrote_it(string revision)
    {
        const string Written = """{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"n":{"type":"number","minimum":1.50,"title":"\u00dc"}}}""";
        await using var server = Start();
        var host = await WireHost.ConnectAsync(server, revision, """{"elicitation":{"form":{}}}""");

        var result = await host.CallAsync(Form, $$"""{"message":"How much?","schema":{{Written}} }""", """{"action":"accept","content":{"n":2.50}}""");

        Assert.Equal("""{"action":"accept","content":{"n":2.50}}""", WireClient.ToolText(result));
        var question = Assert.Single(host.Questions);
        Assert.Equal("How much?", question.GetProperty("message").GetString());
        Assert.True(JsonElement.DeepEquals(JsonElement.Parse(Written), question.GetProperty("requestedSchema")), question.GetRawText());
    }

    public static TheoryData<string, string, string> BadArguments => new()
    {
        // tool, arguments, what the error says
        { Confirm, "{}", "message must be a text" },
        { Confirm, """{"message":null}""", "message must be a text" },
        { Confirm, """{"message":5}""", "message must be a text" },
        { Confirm, """{"message":""}""", "message" },
        { Confirm, """{"message":" "}""", "message" },
        { Confirm, """{"message":"Sure?","labels":"Yes"}""", "labels must be an object with the texts ok and cancel, but the call has \"Yes\"." },
        { Confirm, """{"message":"Sure?","labels":["Yes","No"]}""", "labels must be an object" },
        { Confirm, """{"message":"Sure?","labels":{"ok":true}}""", "labels.ok must be a text of 1 to 40 characters that can be read, but the call has true." },
        { Confirm, """{"message":"Sure?","labels":{"cancel":{}}}""", "labels.cancel must be a text of 1 to 40 characters that can be read, but the call has {}." },
        { Confirm, """{"message":"Sure?","labels":{"ok":""}}""", "labels.ok" },
        { Confirm, """{"message":"Sure?","labels":{"cancel":" "}}""", "labels.cancel" },
        { Confirm, $$$"""{"message":"Sure?","labels":{"ok":"{{{new string('y', 41)}}}"}}""", "labels.ok" },
        { Confirm, """{"message":"Sure?","labels":{"ok":"OK","cancel":"OK"}}""", "\"OK\"" },
        { Confirm, """{"message":"Sure?","labels":{"ok":"No"}}""", "\"No\"" },
        { Confirm, """{"message":"Sure?","timeoutSeconds":59}""", "timeoutSeconds must be a whole number from 60 to 3600, but the call has 59." },
        { Confirm, """{"message":"Sure?","timeoutSeconds":60.5}""", "but the call has 60.5." },
        { Confirm, """{"message":"Sure?","timeoutSeconds":3601}""", "but the call has 3601." },
        { Confirm, """{"message":"Sure?","timeoutSeconds":-1}""", "but the call has -1." },
        { Confirm, """{"message":"Sure?","timeoutSeconds":1e400}""", "but the call has 1e400." },
        { Confirm, """{"message":"Sure?","timeoutSeconds":"60"}""", "but the call has \"60\"." },
        { Form, $$"""{"schema":{{Schema}}}""", "message must be a text" },
        { Form, """{"message":"Who?"}""", "schema must be an object" },
        { Form, """{"message":"Who?","schema":null}""", "schema must be an object" },
        { Form, """{"message":"Who?","schema":"name"}""", "schema must be an object" },
        { Form, """{"message":"Who?","schema":true}""", "schema must be an object" },
        { Form, $$"""{"message":"Who?","schema":{{Schema}},"timeoutSeconds":[60]}""", "but the call has [60]." },
        { Form, """{"message":"Who?","schema":{}}""", "/requestedSchema" },
        { Form, """{"message":"Who?","schema":{"type":"object","properties":{}}}""", "/requestedSchema/properties: " },
        { Form, """{"message":"Who?","schema":{"type":"object","properties":{"a":{"type":"object","properties":{}}}}}""", "/requestedSchema/properties/a" },
        { Form, """{"message":"Who?","schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}}""", "/requestedSchema/required" },
        { Form, """{"message":"Who?","schema":{"type":"object","properties":{"password":{"type":"string"}}}}""", "/requestedSchema/properties/password: " },
        { Form, """{"message":"What is your API key?","schema":{"type":"object","properties":{"value":{"type":"string"}}}}""", "/message: " },
    };

    [Theory]
    [MemberData(nameof(BadArguments))]
    public async Task Bad_arguments_are_a_readable_error_and_nobody_is_asked(string tool, string arguments, string reason)
    {
        foreach (var revision in new[] { Clients.InitializeEra, Clients.PerRequestEra })
        {
            var asked = 0;
            await using var server = Start();
            await using var client = await server.ConnectAsync(Clients.Options(revision, (_, _) =>
            {
                asked++;
                return Task.FromResult(new ElicitResult());
            }));

            var result = await client.CallToolAsync(tool, Arguments(arguments), cancellationToken: Clients.Cancellation);

            var text = Assert.IsType<TextContentBlock>(Assert.Single(result.Content)).Text;
            Assert.Equal((true, 0), (result.IsError == true, asked));
            Assert.Contains(reason, text);
            Assert.Null(result.StructuredContent);
        }
    }

    [Fact]
    public async Task A_long_argument_is_shortened_in_the_error()
    {
        await using var server = Start();
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: true, url: false));

        var (isError, text) = await client.CallAsync(Confirm, Arguments($$"""{"message":"Sure?","labels":"{{new string('x', 5000)}}"}"""));

        Assert.True(isError);
        Assert.InRange(text.Length, 100, 300);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task A_probe_that_found_a_machine_makes_the_confirmation_unsupported(string revision)
    {
        var time = new FakeTimeProvider();
        await using var server = Start(time);
        await using var client = await server.ConnectAsync(Clients.Options(revision, (question, _) => Task.FromResult(
            question.RequestedSchema!.Properties.ContainsKey("value") ? Clients.Accept("ok") : throw new InvalidOperationException("asked"))));
        await client.CallDoctorAsync(probeElicitation: true);

        AssertLike(
            """{"confirmed":null,"reason":"unsupported","detail":"*A probe in this session found that it answers by itself*"}""",
            await CallAsync(client, Confirm, """{"message":"Sure?"}"""));
    }

    private static PipeServer Start(TimeProvider? time = null, Action<ElicitDoctorOptions>? configure = null) => PipeServer.Start(builder =>
    {
        builder.WithElicitDoctor(options =>
        {
            options.Tools = ElicitDoctorTools.All;
            configure?.Invoke(options);
        });
        if (time is not null)
        {
            builder.Services.AddSingleton(time);
        }
    });

    private static McpClientOptions Answering(string revision, FakeTimeProvider time, bool takesTime, string action, string? content) =>
        Clients.Options(revision, (_, _) =>
        {
            time.Advance(takesTime ? Thinking : TimeSpan.Zero);
            return Task.FromResult(Result(action, content));
        });

    private static ElicitResult Result(string action, string? content) => new() { Action = action, Content = content is null ? null : Members(content) };

    private static Dictionary<string, object?> Arguments(string json) => Members(json).ToDictionary(member => member.Key, object? (member) => member.Value);

    private static Dictionary<string, JsonElement> Members(string json) =>
        JsonElement.Parse(json).EnumerateObject().ToDictionary(member => member.Name, member => member.Value);

    /// <summary>The result of a tool, which is the same as text and as structured content, and as the tool's schema says.</summary>
    private static async Task<JsonObject> CallAsync(McpClient client, string tool, string arguments)
    {
        var result = await client.CallToolAsync(tool, Arguments(arguments), cancellationToken: Clients.Cancellation);
        var text = Assert.IsType<TextContentBlock>(Assert.Single(result.Content)).Text;
        Assert.False(result.IsError == true, text);
        var structured = result.StructuredContent!.Value;
        Assert.True(JsonElement.DeepEquals(JsonElement.Parse(text), structured), $"structuredContent is {structured}, the text is {text}");
        var listed = (await client.ListToolsAsync(cancellationToken: Clients.Cancellation)).Single(listed => listed.Name == tool).ProtocolTool;
        var schema = JsonSchema.FromText(listed.OutputSchema!.Value.GetRawText());
        Assert.True(schema.Evaluate(structured).IsValid, $"{text} is not as {listed.OutputSchema} says");
        return JsonNode.Parse(text)!.AsObject();
    }

    /// <summary>Compares member by member; a star in a text stands for anything at its place.</summary>
    private static void AssertLike(string expected, JsonObject actual)
    {
        var members = JsonNode.Parse(expected)!.AsObject();
        Assert.Equal(members.Select(member => member.Key), actual.Select(member => member.Key));
        foreach (var (name, value) in members)
        {
            if (value?.GetValueKind() != JsonValueKind.String)
            {
                Assert.True(JsonNode.DeepEquals(value, actual[name]), $"{name} is {actual[name]?.ToJsonString()}, expected is {value?.ToJsonString()}");
                continue;
            }

            var (text, rest) = ((string)value!, (string)actual[name]!);
            var pieces = text.Split('*');
            Assert.StartsWith(pieces[0], rest);
            Assert.EndsWith(pieces[^1], rest);
            Assert.All(pieces, piece => Assert.Contains(piece, rest));
            Assert.True(pieces.Length > 1 || text == rest, $"{name} is {rest}");
        }
    }
}
