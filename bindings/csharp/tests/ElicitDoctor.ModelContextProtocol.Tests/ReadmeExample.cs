using System.ComponentModel;
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
        [McpServerTool(Name = "plan_trip"), Description("Plans a day trip.")]
        public static async Task<string> PlanTrip(RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken)
        {
            if (!context.Server.CanElicit(ElicitationMode.Form))
            {
                return "Nobody can be asked here. Call plan_trip again with a destination.";
            }

            ElicitResult answer = await context.Server.ElicitAsync(
                new ElicitRequestParams
                {
                    Message = "Where shall the trip go?",
                    RequestedSchema = new() { Properties = { ["destination"] = new ElicitRequestParams.StringSchema() }, Required = ["destination"] },
                },
                cancellationToken);
            return answer.IsAccepted && answer.Content?.TryGetValue("destination", out var destination) == true
                ? $"A day in {destination.GetString()}."
                : "No trip was planned: the user gave no destination.";
        }
    }

    // README ends
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
