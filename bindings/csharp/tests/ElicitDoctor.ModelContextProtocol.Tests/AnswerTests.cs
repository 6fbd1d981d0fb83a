using System.ComponentModel.DataAnnotations;
using System.Text.Json;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>What was checked is what a tool gets, however an answer is written.</summary>
public sealed class AnswerTests
{
    public static TheoryData<string> Eras => [Clients.InitializeEra, Clients.PerRequestEra];

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task An_answer_within_an_answer_is_not_the_one_that_is_checked(string revision)
    {
        const string Answer = """{"jsonrpc":"2.0","result":{"action":"decline"},"action":"accept","content":{"days":-5}}""";

        Assert.StartsWith("Failed", await AskAsync(revision, Answer), StringComparison.Ordinal);
        Assert.StartsWith("Failed", await AskAsync(revision, """{"jsonrpc":"2.0","result":{"action":"decline"},"action":"accept"}""", "confirm"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"days":3,"Days":99}""", "Trip { Days = 3, Place =  }")]
    [InlineData("""{"days":3,"place":"Rome","PLACE":null}""", "Trip { Days = 3, Place = Rome }")]
    [InlineData("""{"days":3,"PLACE":"Rome"}""", "Trip { Days = 3, Place =  }")]
    public async Task A_member_that_was_not_asked_for_does_not_reach_the_tool(string content, string expected)
    {
        foreach (var revision in new[] { Clients.InitializeEra, Clients.PerRequestEra })
        {
            Assert.Equal(expected, await AskAsync(revision, $$"""{"action":"accept","content":{{content}} }"""));
        }
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task Content_that_was_not_asked_for_is_left_out_of_the_raw_answer(string revision) =>
        Assert.Equal("days=3", await AskAsync(revision, """{"action":"accept","content":{"days":3,"admin":true,"deep":{"x":[1]}}}""", "raw"));

    [Theory]
    [InlineData("refuses", """{"text":"x"}""")]
    [InlineData("validates", """{"text":"x"}""")]
    public async Task Whatever_a_type_throws_at_an_answer_is_a_failure(string tool, string content)
    {
        foreach (var revision in new[] { Clients.InitializeEra, Clients.PerRequestEra })
        {
            Assert.StartsWith("Failed", await AskAsync(revision, $$"""{"action":"accept","content":{{content}} }""", tool), StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Text_that_is_no_text_is_a_failure() => Assert.StartsWith(
        // On 2026-07-28 the SDK itself refuses the call.
        "Failed", await AskAsync(Clients.InitializeEra, """{"action":"accept","content":{"text":"\ud800"}}""", "refuses"), StringComparison.Ordinal);

    [Fact]
    public async Task A_list_is_not_asked_of_a_host_that_cannot_answer_one()
    {
        await using var server = PipeServer.Start(builder => builder.WithTool(
            "colours", async (RequestContext<CallToolRequestParams> context) => (await context.TryElicitAsync<Palette>("Which?")).Explain()));
        var older = await WireHost.ConnectAsync(server, "2025-06-18", """{"elicitation":{}}""");

        var result = await older.CallAsync("colours");

        Assert.Contains("The form has a list, which can be answered since 2025-11-25, and the session speaks 2025-06-18.", WireClient.ToolText(result));
    }

    private static async Task<string> AskAsync(string revision, string answer, string tool = "trip")
    {
        await using var server = PipeServer.Start(builder => builder
            .WithTool("trip", async (RequestContext<CallToolRequestParams> context) => Text(await context.TryElicitAsync<Trip>("Where?")))
            .WithTool("raw", async (RequestContext<CallToolRequestParams> context) => Text(await context.TryElicitAsync(new ElicitRequestParams
            {
                Message = "How long?",
                RequestedSchema = new() { Properties = { ["days"] = new ElicitRequestParams.NumberSchema { Maximum = 5 } } },
            })))
            .WithTool("confirm", async (RequestContext<CallToolRequestParams> context) => Text((await context.ConfirmAsync("Sure?")).Outcome))
            .WithTool("refuses", async (RequestContext<CallToolRequestParams> context) => Text(await context.TryElicitAsync<Refusing>("What?")))
            .WithTool("validates", async (RequestContext<CallToolRequestParams> context) => Text(await context.TryElicitAsync<Validating>("What?"))));
        var host = await WireHost.ConnectAsync(server, revision, """{"elicitation":{"form":{}}}""");
        return WireClient.ToolText(await host.CallAsync(tool, answer: answer));
    }

    private static string Text<T>(ElicitationOutcome<T> outcome) => outcome switch
    {
        ElicitationOutcome<T>.Accepted({ } value) => value is IReadOnlyDictionary<string, JsonElement> members
            ? string.Join(", ", members.Select(member => $"{member.Key}={member.Value}"))
            : value.ToString()!,
        _ => outcome.ToString(),
    };

    internal sealed record Trip([property: Range(1, 14)] int Days, string? Place = null);

    internal enum Colour
    {
        Red,
        Green,
    }

    internal sealed record Palette(List<Colour> Colours);

    private sealed class Refusing
    {
        public string Text { get => field; set => throw new InvalidOperationException($"No {value}."); } = "";
    }

    private sealed record Validating
    {
        public Validating(string text) => Text = text.Length > 1 ? text : throw new ValidationException("Too short.");

        public string Text { get; }
    }
}
