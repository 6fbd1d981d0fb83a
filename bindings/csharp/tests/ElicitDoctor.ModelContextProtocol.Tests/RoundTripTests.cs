using System.Security.Claims;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using ModelContextProtocol.Client;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The state that travels through the client between the two calls of a probe (2026-07-28).</summary>
public sealed class RoundTripTests
{
    private const string Ok = """{"action":"accept","content":{"value":"ok"}}""";

    private static readonly RepeatedCall Call = new();

    [Fact]
    public async Task A_changed_state_is_refused_readably_and_the_server_goes_on()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        var state = RepeatedCall.State(await AskAsync(client));
        var last = state[^5] == 'A' ? 'B' : 'A';

        foreach (var changed in new[] { $"{state[..^5]}{last}{state[^4..]}", state[..^8], $"{Guid.NewGuid():N}.{state}", "x", "" })
        {
            Assert.Contains("Call elicit_doctor again without requestState", await RefusalAsync(client, Call.Repeat(changed, Ok)));
        }

        Assert.Equal("working", (string?)(await ReportAsync(client, Call.Repeat(state, Ok))).FormProbe()["verdict"]);
    }

    [Fact]
    public async Task An_expired_state_is_refused_and_one_a_moment_younger_is_not()
    {
        var time = new FakeTimeProvider();
        await using var server = PipeServer.Start(builder => builder
            .WithElicitDoctor(options => options.StateLifetime = TimeSpan.FromMinutes(3))
            .Services.AddSingleton<TimeProvider>(time));
        var client = server.ConnectWire();
        var asked = await AskAsync(client);

        time.Advance(TimeSpan.FromMinutes(3) - TimeSpan.FromMilliseconds(1));
        Assert.Equal("working person", (await ReportAsync(client, Call.Repeat(asked, Ok))).FormProbe().Outcome());

        time.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Contains("expired", await RefusalAsync(client, Call.Repeat(asked, Ok)));
    }

    [Fact]
    public async Task A_state_is_refused_with_other_arguments()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        var asked = await AskAsync(client);

        Assert.Contains(
            "other arguments",
            await RefusalAsync(client, new RepeatedCall("""{"probeElicitation":true,"probeUrl":false}""").Repeat(asked, Ok)));
        Assert.Equal(
            "working",
            (string?)(await ReportAsync(client, new RepeatedCall("""{ "probe\u0045licitation":  true }""").Repeat(asked, Ok))).FormProbe()["verdict"]);
    }

    [Fact]
    public async Task Instances_with_the_same_key_finish_what_another_one_began_and_others_refuse_it()
    {
        byte[] key = [.. Enumerable.Repeat((byte)1, 32)], newKey = [.. Enumerable.Repeat((byte)2, 32)];
        var states = new Dictionary<string, JsonElement>();
        foreach (var (name, keys) in new[] { ("old", new[] { key }), ("rotated", [newKey, key]), ("process", []) })
        {
            await using var server = Start(keys);
            states[name] = await AskAsync(server.ConnectWire());
        }

        await using var second = Start(key);
        await using var rotated = Start(newKey, key);

        Assert.Equal("working", (string?)(await ReportAsync(second.ConnectWire(), Call.Repeat(states["old"], Ok))).FormProbe()["verdict"]);
        Assert.Equal("working", (string?)(await ReportAsync(rotated.ConnectWire(), Call.Repeat(states["old"], Ok))).FormProbe()["verdict"]);
        Assert.Contains("another key", await RefusalAsync(second.ConnectWire(), Call.Repeat(states["rotated"], Ok)));
        Assert.Contains("another key", await RefusalAsync(second.ConnectWire(), Call.Repeat(states["process"], Ok)));

        static PipeServer Start(params byte[][] keys) => PipeServer.Start(builder => builder.WithElicitDoctor(options => Array.ForEach(keys, options.StateKeys.Add)));
    }

    [Fact]
    public void A_key_of_another_length_stops_the_server_at_its_start()
    {
        var error = Assert.ThrowsAny<ArgumentException>(() => PipeServer.Start(builder => builder.WithElicitDoctor(options => options.StateKeys.Add(new byte[16]))));

        Assert.Contains("16 bytes instead of 32", error.Message);
    }

    [Fact]
    public async Task A_repeated_call_without_state_or_answer_is_asked_again()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        var whole = JsonNode.Parse(Call.Repeat(await AskAsync(client), Ok))!.AsObject();
        foreach (var missing in new[] { "requestState", "inputResponses" })
        {
            var call = whole.DeepClone().AsObject();
            call.Remove(missing);

            var again = WireClient.Result(await client.RequestAsync("tools/call", call.ToJsonString()));

            Assert.Equal("input_required", again.GetProperty("resultType").GetString());
            Assert.Equal("working", (string?)(await ReportAsync(client, Call.Repeat(again, Ok))).FormProbe()["verdict"]);
        }
    }

    [Fact]
    public async Task A_client_that_no_longer_declares_forms_gets_no_verdict()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();
        var repeated = (Call with { Capabilities = """{"sampling":{}}""" }).Repeat(await AskAsync(client), Ok);

        var probe = (await ReportAsync(client, repeated)).FormProbe();

        Assert.Equal("client did not advertise elicitation", (string?)probe["reason"]);
    }

    [Fact]
    public async Task A_state_belongs_to_its_user()
    {
        ClaimsPrincipal? user = null;
        await using var server = PipeServer.Start(builder => builder.WithMessageFilters(filters => filters.AddIncomingFilter(next => (context, cancellationToken) =>
        {
            context.User = user;
            return next(context, cancellationToken);
        })));
        var client = server.ConnectWire();
        user = User("alice", "1");
        var asked = await AskAsync(client);

        foreach (var other in new[] { null, User("bob", "2"), User("alice", "3"), new ClaimsPrincipal(new ClaimsIdentity([new(ClaimTypes.NameIdentifier, "1")])) })
        {
            user = other;
            Assert.Contains("another principal", await RefusalAsync(client, Call.Repeat(asked, Ok)));
        }

        user = User("alice, renamed", "1");
        Assert.Equal("working", (string?)(await ReportAsync(client, Call.Repeat(asked, Ok))).FormProbe()["verdict"]);

        static ClaimsPrincipal User(string name, string id) =>
            new(new ClaimsIdentity([new(ClaimTypes.Name, name), new(ClaimTypes.NameIdentifier, id)], authenticationType: "test"));
    }

    [Theory]
    [InlineData("sub", "1", "https://one.example", "sub", "1", "https://two.example")]
    [InlineData("client_id", "a", "https://one.example", "client_id", "b", "https://one.example")]
    [InlineData("client_id", "a", "https://one.example", "sub", "a", "https://one.example")]
    [InlineData("role", "a", "https://one.example", "role", "b", "https://one.example")]
    public async Task Who_is_told_apart_by_the_claims_is_another_principal(string type, string value, string issuer, string otherType, string otherValue, string otherIssuer)
    {
        var user = new ClaimsPrincipal(new ClaimsIdentity([new(type, value, null, issuer)], authenticationType: "test"));
        await using var server = PipeServer.Start(builder => builder.WithMessageFilters(filters => filters.AddIncomingFilter(next => (context, cancellationToken) =>
        {
            context.User = user;
            return next(context, cancellationToken);
        })));
        var client = server.ConnectWire();
        var asked = await AskAsync(client);

        user = new(new ClaimsIdentity([new(otherType, otherValue, null, otherIssuer)], authenticationType: "test"));
        Assert.Contains("another principal", await RefusalAsync(client, Call.Repeat(asked, Ok)));
        user = new(new ClaimsIdentity([new(type, value, null, issuer)], authenticationType: "test"));
        Assert.Equal("working", (string?)(await ReportAsync(client, Call.Repeat(asked, Ok))).FormProbe()["verdict"]);
    }

    [Fact]
    public async Task A_state_does_nothing_to_a_call_without_a_probe()
    {
        await using var server = PipeServer.Start();
        var client = server.ConnectWire();

        var report = await ReportAsync(client, new RepeatedCall("{}").Repeat("x", Ok));

        Assert.False(report.ContainsKey("probes"));
    }

    private static async Task<JsonElement> AskAsync(WireClient client)
    {
        var asked = WireClient.Result(await client.RequestAsync("tools/call", Call.First));
        Assert.Equal("input_required", asked.GetProperty("resultType").GetString());
        return asked;
    }

    private static async Task<JsonObject> ReportAsync(WireClient client, string parameters) =>
        JsonNode.Parse(await client.RequestReportAsync(parameters))!.AsObject();

    private static async Task<string> RefusalAsync(WireClient client, string parameters)
    {
        var result = WireClient.Result(await client.RequestAsync("tools/call", parameters));
        Assert.True(result.TryGetProperty("isError", out var isError) && isError.GetBoolean(), result.GetRawText());
        return WireClient.ToolText(result);
    }
}
