using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>Whatever a host answers to the probe, it ends with a verdict and not with an exception.</summary>
public sealed class RawAnswerTests
{
    public static TheoryData<string, string> Answers => new()
    {
        { "\"accept\"", "unsupported unknown answer_not_an_object" },
        { "5", "unsupported unknown answer_not_an_object" },
        { "[{\"action\":\"accept\"}]", "unsupported unknown answer_not_an_object" },
        { "{}", "unsupported unknown action_missing" },
        { "{\"action\":null}", "unsupported unknown action_missing" },
        { "{\"action\":\"Accept\",\"content\":{\"value\":\"ok\"}}", "unsupported unknown action_unknown" },
        { "{\"action\":1}", "unsupported unknown action_unknown" },
        { "{\"action\":\"accept\",\"content\":null}", "unsupported machine accepted_without_content" },
        { "{\"action\":\"accept\",\"content\":\"ok\"}", "unsupported machine accepted_without_content" },
        { "{\"action\":\"accept\",\"content\":{\"value\":[\"ok\"]}}", "unsupported machine answer_outside_schema" },
        { "{\"action\":\"accept\",\"content\":{\"value\":\"\\u006fk\",\"more\":1e400},\"_meta\":{}}", "working machine accepted_too_fast" },
        { "{\"action\":\"cancel\",\"content\":null}", "advertised_but_autocanceled machine refused_too_fast" },
    };

    [Theory]
    [MemberData(nameof(Answers))]
    public async Task An_answer_in_the_initialize_era_ends_the_probe(string answer, string outcome) =>
        Assert.Equal(outcome, (await ProbeByRequestAsync($"\"result\":{answer}")).Outcome());

    [Theory]
    [MemberData(nameof(Answers))]
    public async Task An_answer_in_the_per_request_era_ends_the_probe(string answer, string outcome) =>
        Assert.Equal(outcome, (await ProbeByInputRequestAsync(answer)).Outcome());

    [Fact]
    public async Task An_answer_of_10_mib_ends_the_probe_in_both_eras()
    {
        var answer = $$$"""{"action":"accept","content":{"value":"{{{new string('x', 10 << 20)}}}"}}""";

        foreach (var probe in new[] { await ProbeByRequestAsync($"\"result\":{answer}"), await ProbeByInputRequestAsync(answer) })
        {
            Assert.Equal(("error", "unsupported"), ((string?)probe["action"], (string?)probe["verdict"]));
            Assert.Contains("bytes long", (string?)probe["reason"]);
        }
    }

    [Theory]
    [InlineData("""{"code":-32601,"message":"Method not found"}""", "unsupported unknown declared_but_method_not_found")]
    [InlineData("""{"code":-32602,"message":"Client does not support form mode"}""", "unsupported unknown declared_but_refused")]
    [InlineData("""{"code":-32001,"message":"Request timed out"}""", "advertised_but_unanswered unknown")]
    [InlineData("""{"code":-32001,"message":"Session not found"}""", "unsupported unknown session_lost")]
    [InlineData("""{"code":-32042,"message":"Visit first","data":{"elicitations":[]}}""", "unsupported unknown")]
    [InlineData("""{"code":408,"message":"gone for lunch"}""", "advertised_but_unanswered unknown")]
    [InlineData("""{"code":0,"message":""}""", "unsupported unknown")]
    public async Task An_error_ends_the_probe(string error, string outcome) =>
        Assert.Equal(outcome, (await ProbeByRequestAsync($"\"error\":{error}")).Outcome());

    [Fact]
    public async Task A_line_that_is_no_json_is_no_answer()
    {
        await using var server = PipeServer.Start(builder => builder.WithElicitDoctor(options => options.ProbeTimeout = TimeSpan.FromMilliseconds(50)));
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync(CallDoctor);
        await client.ReadRequestAsync("elicitation/create");

        await client.SendAsync("accept!");

        Assert.Equal("advertised_but_unanswered unknown", ReadProbe(await client.ReadAnswerAsync(50)).Outcome());
    }

    [Fact]
    public async Task The_form_goes_out_as_the_core_wrote_it()
    {
        JsonElement form = default, inputRequest = default;

        await ProbeByRequestAsync("\"result\":{}", onAsked: request => form = request.GetProperty("params"));
        await ProbeByInputRequestAsync("{}", onAsked: result => inputRequest = result.GetProperty("inputRequests").GetProperty("elicit_doctor"));

        Assert.Equal("elicitation/create", inputRequest.GetProperty("method").GetString());
        Assert.Equal(form.GetRawText(), inputRequest.GetProperty("params").GetRawText());
        var schema = form.GetProperty("requestedSchema");
        Assert.Equal("""["value"]""", schema.GetProperty("required").GetRawText());
        Assert.Equal("""["left","ok","right"]""", schema.GetProperty("properties").GetProperty("value").GetProperty("enum").GetRawText());
    }

    private const string CallDoctor = """{"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"elicit_doctor","arguments":{"probeElicitation":true}}}""";

    private static async Task<JsonObject> ProbeByRequestAsync(string response, Action<JsonElement>? onAsked = null)
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        await client.InitializeAsync();
        await client.SendAsync(CallDoctor);
        var question = await client.ReadRequestAsync("elicitation/create");
        onAsked?.Invoke(question);
        await client.RespondAsync(question, response);
        return ReadProbe(await client.ReadAnswerAsync(50));
    }

    private static async Task<JsonObject> ProbeByInputRequestAsync(string answer, Action<JsonElement>? onAsked = null)
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        var call = new RepeatedCall();
        var asked = WireClient.Result(await client.RequestAsync("tools/call", call.First));
        onAsked?.Invoke(asked);
        return ReadProbe(await client.RequestAsync("tools/call", call.Repeat(asked, answer)));
    }

    private static JsonObject ReadProbe(string answer)
    {
        var report = WireClient.ToolText(WireClient.Result(answer));
        TestSupport.ReportSchema.AssertValid(report);
        return JsonNode.Parse(report)!.AsObject().FormProbe();
    }
}
