using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Tells a model what to find out from the user itself, and how to hand it in.</summary>
internal static class AskAgain
{
    public static string Sentence(Call call, byte[] parameters)
    {
        var question = JsonElement.Parse(parameters);
        var text = new StringBuilder($"Ask the user yourself: {question.GetProperty("message"u8).GetString()} Then call {call.Name} again");
        var wanted = Wanted(call, question).ToList();
        return text.Append(wanted.Count == 0 ? " with the answer in its arguments." : $" with {string.Join(", ", wanted)} in its arguments.").ToString();
    }

    // The tool's arguments that are called as the form's fields; where none is, those that this call left out.
    private static IEnumerable<string> Wanted(Call call, JsonElement question)
    {
        if (Verbatim.Find(question, ["requestedSchema", "properties"]) is not { } fields)
        {
            return [];
        }

        if (!call.IsToolCall || call.Context.Server.ServerOptions.ToolCollection is not { } tools || !tools.TryGetPrimitive(call.Name, out var tool))
        {
            return fields.EnumerateObject().Select(field => Describe(field.Name, field.Value));
        }

        List<JsonProperty> arguments = Verbatim.Find(tool.ProtocolTool.InputSchema, ["properties"]) is { } properties ? [.. properties.EnumerateObject()] : [];
        var answers = arguments.FindAll(argument => fields.TryGetProperty(argument.Name, out _));
        var given = call.Request.Params?["arguments"] as JsonObject;
        return answers.Count > 0
            ? answers.Select(argument => Describe(argument.Name, argument.Value, fields.GetProperty(argument.Name)))
            : arguments.Where(argument => given?.ContainsKey(argument.Name) != true).Select(argument => Describe(argument.Name, argument.Value));
    }

    private static string Describe(string name, params JsonElement[] schemas)
    {
        var hint = schemas
            .SelectMany(schema => new[] { Verbatim.Find(schema, ["description"]), Verbatim.Find(schema, ["title"]) })
            .FirstOrDefault(text => text is { ValueKind: JsonValueKind.String });
        return hint is { } text ? $"`{name}` ({text.GetString()})" : $"`{name}`";
    }
}
