using System.ComponentModel;
using ElicitDoctor;
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
        McpServer server,
        [Description("Where to go.")] string? destination = null,
        CancellationToken cancellationToken = default)
    {
        if (destination is null)
        {
            if (!server.CanElicit(ElicitationMode.Form))
            {
                return "Nobody can be asked here. Call plan_trip again with a destination.";
            }

            var answer = await server.ElicitAsync(Question, cancellationToken);
            if (!answer.IsAccepted || answer.Content?.TryGetValue("destination", out var chosen) != true)
            {
                return "No trip was planned: the user gave no destination.";
            }

            destination = chosen.GetString();
        }

        return $"A day in {destination}: arrive before the crowd, walk, eat late, take the last train home.";
    }

    private static ElicitRequestParams Question => new()
    {
        Message = "Where shall the trip go?",
        RequestedSchema = new()
        {
            Properties = { ["destination"] = new ElicitRequestParams.StringSchema { Title = "Destination", MinLength = 1 } },
            Required = ["destination"],
        },
    };
}
