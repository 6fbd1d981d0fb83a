using System.ComponentModel;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The code of <c>docs/dotnet-patterns.md</c>, between the marks and in the order of the page; <see cref="PatternTests"/> runs it.</summary>
internal static class PatternExamples
{
    // dotnet-patterns begins
    public sealed record Target([property: Description("test or production")] string Environment);
    // dotnet-patterns ends

    /// <summary>What the examples deploy to, which only remembers.</summary>
    public sealed class Deployments
    {
        public int TimesRead { get; private set; }

        public bool IsFrozen { get; private set; }

        public List<string> Started { get; } = [];

        public string NextVersion
        {
            get
            {
                TimesRead++;
                return "1.4";
            }
        }

        public void Freeze() => IsFrozen = true;

        public void Start(string environment)
        {
            Started.Add(environment);
            IsFrozen = false;
        }
    }

    public sealed class RoundTrip
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(
            RequestContext<CallToolRequestParams> context, Deployments deployments, CancellationToken cancellationToken)
        {
            var version = deployments.NextVersion; // This runs up to three times, so it only reads.

            var where = await context.TryElicitAsync<Target>("Where shall it go?", cancellationToken);
            if (!where.TryGetValue(out var target))
            {
                return where.Explain();
            }

            var confirmation = await context.ConfirmAsync($"Deploy {version} to {target.Environment}?", cancellationToken);
            if (!confirmation.Given)
            {
                return confirmation.Explain();
            }

            deployments.Start(target.Environment);
            return $"Deploying {version} to {target.Environment}.";
        }

        // dotnet-patterns ends
    }

    public sealed class CheckBefore
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(McpServer server, CancellationToken cancellationToken)
        {
            if (server.ClientCapabilities?.Elicitation?.Form is null)
            {
                throw new InvalidOperationException("This client cannot ask. Run `deploy` in a terminal.");
            }

            var answer = await server.ElicitAsync<Target>("Where shall it go?", cancellationToken: cancellationToken);
            return answer.IsAccepted ? $"Deploying to {answer.Content?.Environment}." : "Nothing was deployed.";
        }

        // dotnet-patterns ends
    }

    public sealed class CheckAfter
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(
            RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken)
        {
            context.EnsureCanElicit(ElicitationMode.Form, workaround: "run `deploy` in a terminal");

            var where = await context.TryElicitAsync<Target>("Where shall it go?", cancellationToken);
            return where.TryGetValue(out var target) ? $"Deploying to {target.Environment}." : where.Explain();
        }

        // dotnet-patterns ends
    }

    public sealed class ModeBefore
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "sign_in")]
        public static async Task<string> SignIn(McpServer server, CancellationToken cancellationToken)
        {
            var answer = await server.ElicitAsync(
                new ElicitRequestParams
                {
                    Message = "Please sign in to deploy.",
                    Url = "https://deploy.example/sign-in",
                    ElicitationId = Guid.NewGuid().ToString("N"),
                },
                cancellationToken);
            return answer.IsAccepted ? "Call deploy once you have signed in." : "You were not signed in.";
        }

        // dotnet-patterns ends
    }

    public sealed class ModeAfter
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "sign_in")]
        public static async Task<string> SignIn(
            RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken)
        {
            var page = new Uri("https://deploy.example/sign-in");
            var visit = await context.TryElicitUrlAsync("Please sign in to deploy.", page, cancellationToken);
            return visit.TryGetValue(out _)
                ? "Call deploy once you have signed in."
                : visit.Explain(workaround: $"open {page}");
        }

        // dotnet-patterns ends
    }

    public sealed class CapabilityBefore
    {
        // dotnet-patterns begins
        // One for the whole server: services.AddSingleton<TargetQuestion>();
        public sealed class TargetQuestion(McpServer server)
        {
            public async Task<string?> AskAsync(CancellationToken cancellationToken)
            {
                if (server.ClientCapabilities?.Elicitation?.Form is null)
                {
                    return null;
                }

                var answer = await server.ElicitAsync<Target>("Where shall it go?", cancellationToken: cancellationToken);
                return answer.Content?.Environment;
            }
        }

        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(TargetQuestion question, CancellationToken cancellationToken) =>
            await question.AskAsync(cancellationToken) is { } environment ? $"Deploying to {environment}." : "Nobody can be asked.";

        // dotnet-patterns ends
    }

    public sealed class CapabilityAfter
    {
        // dotnet-patterns begins
        // One for the whole server: services.AddSingleton<TargetQuestion>();
        public sealed class TargetQuestion
        {
            public Task<ElicitationOutcome<Target>> AskAsync(MessageContext context, CancellationToken cancellationToken) =>
                context.TryElicitAsync<Target>("Where shall it go?", cancellationToken);
        }

        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(
            RequestContext<CallToolRequestParams> context, TargetQuestion question, CancellationToken cancellationToken)
        {
            var where = await question.AskAsync(context, cancellationToken);
            return where.TryGetValue(out var target) ? $"Deploying to {target.Environment}." : where.Explain();
        }

        // dotnet-patterns ends
    }

    public sealed class ExceptionBefore
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(McpServer server, CancellationToken cancellationToken)
        {
            try
            {
                var answer = await server.ElicitAsync<Target>("Where shall it go?", cancellationToken: cancellationToken);
                return answer.IsAccepted ? $"Deploying to {answer.Content!.Environment}." : "Nothing was deployed.";
            }
            catch (McpException)
            {
                return "This client cannot ask. Run `deploy` in a terminal.";
            }
        }

        // dotnet-patterns ends
    }

    public sealed class ExceptionAfter
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(
            RequestContext<CallToolRequestParams> context, string? environment = null, CancellationToken cancellationToken = default)
        {
            if (environment is null)
            {
                var where = await context.TryElicitAsync<Target>("Where shall it go?", cancellationToken);
                switch (where)
                {
                    case ElicitationOutcome<Target>.Accepted(var target):
                        environment = target.Environment;
                        break;
                    case ElicitationOutcome<Target>.Declined or ElicitationOutcome<Target>.Cancelled:
                        return "Nothing was deployed.";
                    default: // Unsupported, TimedOut or Failed: no answer, and none to be expected.
                        return where.Explain(workaround: "call deploy with an environment");
                }
            }

            return $"Deploying to {environment}.";
        }

        // dotnet-patterns ends
    }

    public sealed class FilterBefore
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(McpServer server, Deployments deployments, CancellationToken cancellationToken)
        {
            try
            {
                var answer = await server.ElicitAsync<Target>("Where shall it go?", cancellationToken: cancellationToken);
                deployments.Start(answer.Content!.Environment);
                return $"Deploying to {answer.Content.Environment}.";
            }
            catch (Exception error) when (error is not InvalidOperationException)
            {
                return $"Nothing was deployed: {error.Message}";
            }
        }

        // dotnet-patterns ends
    }

    public sealed class FilterAfter
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(
            RequestContext<CallToolRequestParams> context, Deployments deployments, CancellationToken cancellationToken)
        {
            var where = await context.TryElicitAsync<Target>("Where shall it go?", cancellationToken);
            if (!where.TryGetValue(out var target))
            {
                return where.Explain(workaround: "run `deploy` in a terminal");
            }

            try
            {
                deployments.Start(target.Environment);
                return $"Deploying to {target.Environment}.";
            }
            catch (IOException error)
            {
                return $"Nothing was deployed: {error.Message}";
            }
        }

        // dotnet-patterns ends
    }

    public sealed class NoCheckBefore
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(McpServer server, Deployments deployments, CancellationToken cancellationToken)
        {
            deployments.Freeze(); // Nobody else deploys meanwhile.
            var answer = await server.ElicitAsync<Target>("Where shall it go?", cancellationToken: cancellationToken);
            deployments.Start(answer.Content!.Environment);
            return $"Deploying to {answer.Content.Environment}.";
        }

        // dotnet-patterns ends
    }

    public sealed class NoCheckAfter
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(
            RequestContext<CallToolRequestParams> context, Deployments deployments, CancellationToken cancellationToken)
        {
            if (!context.CanElicit(ElicitationMode.Form))
            {
                return "Nobody can be asked here. Run `deploy` in a terminal.";
            }

            var where = await context.TryElicitAsync<Target>("Where shall it go?", cancellationToken);
            if (!where.TryGetValue(out var target))
            {
                return where.Explain();
            }

            deployments.Freeze();
            deployments.Start(target.Environment);
            return $"Deploying to {target.Environment}.";
        }

        // dotnet-patterns ends
    }

    public sealed class ConsentBefore
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(McpServer server, Deployments deployments, CancellationToken cancellationToken)
        {
            if (server.ClientCapabilities?.Elicitation?.Form is not null)
            {
                var question = new ElicitRequestParams { Message = "Deploy to production?", RequestedSchema = new() };
                var answer = await server.ElicitAsync(question, cancellationToken);
                if (!answer.IsAccepted)
                {
                    return "Nothing was deployed.";
                }
            }

            deployments.Start("production");
            return "Deploying to production.";
        }

        // dotnet-patterns ends
    }

    public sealed class ConsentAfter
    {
        // dotnet-patterns begins
        [McpServerTool(Name = "deploy")]
        public static async Task<string> Deploy(
            RequestContext<CallToolRequestParams> context, Deployments deployments, CancellationToken cancellationToken)
        {
            var labels = new ConfirmOptions { OkLabel = "Deploy", CancelLabel = "Do not deploy" };
            var confirmation = await context.ConfirmAsync("Deploy to production?", labels, cancellationToken);
            if (!confirmation.Given)
            {
                return confirmation.Explain(workaround: "run `deploy production` in a terminal");
            }

            deployments.Start("production");
            return "Deploying to production.";
        }

        // dotnet-patterns ends
    }
}
