using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using ElicitDoctor.ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace StdioServer;

/// <summary>A tool that asks the user where it can, and says what to do where it cannot.</summary>
[McpServerToolType]
internal sealed class TripTools
{
    [McpServerTool(Name = "plan_trip"), Description("Plans a day trip. Asks the user where to go when no destination is given.")]
    public static async Task<string> PlanTrip(
        RequestContext<CallToolRequestParams> context,
        [Description("Where to go.")] string? destination = null,
        CancellationToken cancellationToken = default)
    {
        if (destination is null)
        {
            var outcome = await context.TryElicitAsync("Where shall the trip go?", SampleJson.Default.Trip, cancellationToken);
            if (!outcome.TryGetValue(out var trip))
            {
                return $"No trip was planned. {outcome.Explain(workaround: "call plan_trip with a destination")}";
            }

            destination = trip.Destination;
        }

        return $"A day in {destination}: arrive before the crowd, walk, eat late, take the last train home.";
    }
}

/// <summary>What is asked for a trip.</summary>
internal sealed record Trip([property: StringLength(100, MinimumLength = 1), Description("A town or a region.")] string Destination);
