using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>Every kind of host on every transport in both eras: one call, and no consent that nobody gave.</summary>
public sealed class MatrixTests
{
    public enum Kind
    {
        SupportsForm,
        SupportsNothing,
        UrlOnly,
        Declines,
        Cancels,
        NeverAnswers,
        Throws,
        AcceptsWithoutContent,
    }

    // A stateful HTTP server refuses 2026-07-28 when it connects (PreCheckTests shows it); the hybrid one serves both eras.
    private static readonly (string Transport, string Revision)[] Ways =
    [
        (AnyServer.Pipe, Clients.InitializeEra),
        (AnyServer.Pipe, Clients.PerRequestEra),
        (AnyServer.Stateful, Clients.InitializeEra),
        (AnyServer.Hybrid, Clients.InitializeEra),
        (AnyServer.Hybrid, Clients.PerRequestEra),
        (AnyServer.Stateless, Clients.InitializeEra),
        (AnyServer.Stateless, Clients.PerRequestEra),
    ];

    public static TheoryData<string, string, string, Kind> Cells
    {
        get
        {
            var cells = new TheoryData<string, string, string, Kind>();
            foreach (var tool in new[] { "confirm", "form", "confirm_on_server", "form_on_server" })
            {
                foreach (var (transport, revision) in Ways)
                {
                    foreach (var kind in Enum.GetValues<Kind>())
                    {
                        cells.Add(tool, transport, revision, kind);
                    }
                }
            }

            return cells;
        }
    }

    [Theory]
    [MemberData(nameof(Cells))]
    public async Task The_outcome_is_the_right_one_and_consent_is_a_persons(string tool, string transport, string revision, Kind kind)
    {
        var world = new World();
        await using var server = await AnyServer.StartAsync(transport, builder => world.Add(builder));
        using var end = CancellationTokenSource.CreateLinkedTokenSource(Clients.Cancellation);
        await using var client = await server.ConnectAsync(world.Client(revision, kind, end));

        var outcome = await CallAsync(client, tool, end.Token);

        Assert.Equal(Expected(transport, revision, kind), outcome);
        Assert.Equal(kind == Kind.SupportsForm && CanAsk(transport, revision) ? 1 : 0, world.Consents);
        Assert.Equal(kind is Kind.SupportsNothing or Kind.UrlOnly || !CanAsk(transport, revision) ? 0 : 1, world.Questions);
    }

    private static bool CanAsk(string transport, string revision) => transport != AnyServer.Stateless || revision == Clients.PerRequestEra;

    private static string Expected(string transport, string revision, Kind kind) => kind switch
    {
        _ when !CanAsk(transport, revision) => "Unsupported",
        Kind.SupportsForm => "Accepted",
        Kind.SupportsNothing or Kind.UrlOnly => "Unsupported",
        Kind.Declines => "Declined Person",
        Kind.Cancels => "Cancelled Person",
        Kind.AcceptsWithoutContent => "Failed",
        // Between two calls nobody waits: the client gives up, or its own call fails, and the server hears of neither.
        Kind.NeverAnswers => revision == Clients.PerRequestEra ? "the client's call ended" : "TimedOut",
        _ => revision == Clients.PerRequestEra ? "the client's call ended" : "Failed",
    };

    private static async Task<string> CallAsync(McpClient client, string tool, CancellationToken cancellationToken)
    {
        try
        {
            var result = await client.CallToolAsync(tool, cancellationToken: cancellationToken);
            return Assert.IsType<TextContentBlock>(Assert.Single(result.Content)).Text;
        }
        catch (Exception) when (!Clients.Cancellation.IsCancellationRequested)
        {
            return "the client's call ended";
        }
    }

    public sealed record Trip(string Destination, int Days);

    /// <summary>The server's time and tools, and the host that is played.</summary>
    private sealed class World
    {
        private readonly FakeTimeProvider _time = new(DateTimeOffset.UnixEpoch.AddYears(56));

        public int Consents { get; private set; }

        public int Questions { get; private set; }

        public void Add(IMcpServerBuilder builder)
        {
            builder.Services.AddSingleton<TimeProvider>(_time);
            builder.WithTools(
            [
                McpServerTool.Create(
                    async (RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken) => Count(await context.ConfirmAsync("Delete 3 files?", cancellationToken)),
                    new() { Name = "confirm" }),
                McpServerTool.Create(
                    async (McpServer asked, CancellationToken cancellationToken) => Count(await asked.ConfirmAsync("Delete 3 files?", cancellationToken)),
                    new() { Name = "confirm_on_server" }),
                McpServerTool.Create(
                    async (RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken) => Count(await context.TryElicitAsync<Trip>("Where to?", cancellationToken)),
                    new() { Name = "form" }),
                McpServerTool.Create(
                    async (McpServer asked, CancellationToken cancellationToken) => Count(await asked.TryElicitAsync<Trip>("Where to?", cancellationToken)),
                    new() { Name = "form_on_server" }),
            ]);
        }

        public McpClientOptions Client(string revision, Kind kind, CancellationTokenSource end)
        {
            var options = Clients.Options(revision, form: kind is not (Kind.SupportsNothing or Kind.UrlOnly), url: kind == Kind.UrlOnly);
            options.Handlers = kind == Kind.SupportsNothing ? new() : new()
            {
                ElicitationHandler = async (question, cancellationToken) =>
                {
                    Questions++;
                    _time.Advance(TimeSpan.FromSeconds(3));
                    switch (kind)
                    {
                        case Kind.Throws:
                            throw new InvalidOperationException("The dialog could not be opened.");
                        case Kind.NeverAnswers:
                            _time.Advance(TimeSpan.FromMinutes(5));
                            if (revision == Clients.PerRequestEra)
                            {
                                await end.CancelAsync();
                            }

                            await Task.Delay(Timeout.Infinite, CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, end.Token).Token);
                            break;
                    }

                    return kind switch
                    {
                        Kind.Declines => new() { Action = "decline" },
                        Kind.Cancels => new() { Action = "cancel" },
                        Kind.AcceptsWithoutContent => new() { Action = "accept" },
                        _ => new() { Action = "accept", Content = Fill(question!) },
                    };
                },
            };
            return options;
        }

        private static Dictionary<string, JsonElement> Fill(ElicitRequestParams question) => question.RequestedSchema!.Properties.ContainsKey("answer")
            ? new() { ["answer"] = JsonElement.Parse("\"Yes\"") }
            : new() { ["destination"] = JsonElement.Parse("\"Rome\""), ["days"] = JsonElement.Parse("2") };

        private string Count(Confirmation confirmation)
        {
            Consents += confirmation.Given ? 1 : 0;
            return Name(confirmation.Outcome);
        }

        private string Count(ElicitationOutcome<Trip> outcome)
        {
            Consents += outcome is ElicitationOutcome<Trip>.Accepted({ Destination: "Rome", Days: 2 }) ? 1 : 0;
            return Name(outcome);
        }

        private static string Name<T>(ElicitationOutcome<T> outcome) => outcome.Match(
            accepted: _ => "Accepted",
            declined: declined => $"Declined {declined.AnsweredBy}",
            cancelled: cancelled => $"Cancelled {cancelled.AnsweredBy}",
            unsupported: _ => "Unsupported",
            timedOut: _ => "TimedOut",
            failed: _ => "Failed");
    }
}
