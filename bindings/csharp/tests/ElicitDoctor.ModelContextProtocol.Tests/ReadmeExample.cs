using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The snippets of the README, compiled and run.</summary>
public sealed class ReadmeExample
{
    private static IServiceCollection AddServer(IServiceCollection services)
    {
        // README begins
        services
            .AddMcpServer()
            .WithStdioServerTransport()
            .WithElicitDoctor()
            .WithTools<TripTools>();
        // README ends
        return services;
    }

    // README begins
    [McpServerToolType]
    public sealed class TripTools
    {
        public sealed record Trip(
            [property: Description("A city or a region.")] string Destination,
            [property: Range(1, 14)] int Days,
            Pace Pace = Pace.Slow);

        [JsonConverter(typeof(JsonStringEnumConverter<Pace>))]
        public enum Pace
        {
            [Display(Name = "Eat late, walk little")] Slow,
            [Display(Name = "See everything")] Fast,
        }

        [McpServerTool(Name = "plan_trip"), Description("Plans a trip.")]
        public static async Task<string> PlanTrip(RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken)
        {
            ElicitationOutcome<Trip> outcome = await context.TryElicitAsync<Trip>("Where shall the trip go?", cancellationToken);
            return outcome.TryGetValue(out Trip? trip)
                ? $"{trip.Days} days in {trip.Destination}, {trip.Pace}."
                : outcome.Explain(workaround: "say where to go");
        }

        [McpServerTool(Name = "cancel_trip"), Description("Cancels a trip.")]
        public static async Task<string> CancelTrip(RequestContext<CallToolRequestParams> context, string trip, CancellationToken cancellationToken)
        {
            Confirmation answer = await context.ConfirmAsync($"Cancel the trip to {trip}? The fare is lost.", cancellationToken);
            return answer.Given
                ? $"The trip to {trip} is cancelled."
                : answer.Explain(workaround: "cancel it at the counter");
        }
    }

    // README ends
    [Theory]
    [InlineData(Clients.InitializeEra)]
    [InlineData(Clients.PerRequestEra)]
    public async Task The_tools_do_what_the_readme_says(string revision)
    {
        await using var server = PipeServer.Start(builder => builder.WithElicitDoctor(options => options.ShortestConfirmation = TimeSpan.Zero).WithTools<TripTools>());
        await using var person = await server.ConnectAsync(Clients.Options(revision, (question, _) => Task.FromResult(new ElicitResult
        {
            Action = "accept",
            Content = question.Message.StartsWith("Where", StringComparison.Ordinal)
                ? new Dictionary<string, JsonElement> { ["destination"] = JsonElement.Parse("\"Rome\""), ["days"] = JsonElement.Parse("3") }
                : new Dictionary<string, JsonElement> { ["answer"] = JsonElement.Parse("\"Yes\"") },
        })));
        Assert.Equal("3 days in Rome, Slow.", await person.CallTextAsync("plan_trip"));
        var cancelled = await person.CallToolAsync("cancel_trip", new Dictionary<string, object?> { ["trip"] = "Rome" }, cancellationToken: Clients.Cancellation);
        Assert.Equal("The trip to Rome is cancelled.", Assert.IsType<TextContentBlock>(Assert.Single(cancelled.Content)).Text);

        await using var other = PipeServer.Start(builder => builder.WithTools<TripTools>());
        await using var nobody = await other.ConnectAsync(Clients.Options(revision, form: false, url: false));
        Assert.Equal(
            "The host tests 1 cannot be asked by a form. The client did not advertise elicitation. Instead: say where to go.",
            await nobody.CallTextAsync("plan_trip"));
    }

    [Fact]
    public void The_snippets_do_what_the_readme_says()
    {
        using var services = AddServer(new ServiceCollection().AddLogging()).BuildServiceProvider();
        Assert.True(services.GetRequiredService<IOptions<McpServerOptions>>().Value.ToolCollection!.TryGetPrimitive("elicit_doctor", out _));

        // README begins
        using DoctorReport report = Doctor.Report(
            """
            {"initialize": {
                "request": {"clientInfo": {"name": "host", "version": "1"}, "capabilities": {"elicitation": true}},
                "response": {"protocolVersion": "2025-11-25", "capabilities": {}}
            }}
            """u8);
        Console.WriteLine(report.Support.ElicitationForm); // False
        Console.WriteLine(report.Findings[0].Message);     // `elicitation` is true instead of an object …
        Console.WriteLine(Doctor.Classify(ElicitationAction.Cancel, TimeSpan.FromMilliseconds(8))); // AdvertisedButAutocanceled
        // README ends
        Assert.False(report.Support.ElicitationForm);
        Assert.Equal(Verdict.AdvertisedButAutocanceled, Doctor.Classify(ElicitationAction.Cancel, TimeSpan.FromMilliseconds(8)));
        Assert.StartsWith("`elicitation` is true", report.Findings[0].Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_probe_does_what_the_readme_says()
    {
        using var report = Doctor.Report(
            """
            {"initialize": {
                "request": {"clientInfo": {"name": "host", "version": "1"}, "capabilities": {"elicitation": {}}},
                "response": {"protocolVersion": "2025-11-25", "capabilities": {}}
            }}
            """u8);

        Assert.Contains("\"verdict\":\"advertised_but_autocanceled\",\"answeredBy\":\"machine\"", await ProbeAsync(report, TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    private static async Task<string> ProbeAsync(DoctorReport report, CancellationToken cancellationToken)
    {
        // README begins
        using DoctorReport probed = await ProbeEngine.Shared.ProbeAsync(
            report,
            async (request, token) => await SendElicitationCreateAsync(request, token),
            cancellationToken: cancellationToken);
        Console.WriteLine(probed.ToJson()); // … "verdict":"advertised_but_autocanceled","answeredBy":"machine" …
        // README ends
        return probed.ToJson();
    }

    /// <summary>A transport to a host that cancels by itself.</summary>
    private static Task<ReadOnlyMemory<byte>> SendElicitationCreateAsync(ReadOnlyMemory<byte> request, CancellationToken cancellationToken)
    {
        Assert.False(request.IsEmpty);
        return Task.FromResult<ReadOnlyMemory<byte>>("""{"action":"cancel"}"""u8.ToArray());
    }
}
