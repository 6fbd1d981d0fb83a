using System.Text;
using System.Text.Json;
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

    // The form's fields that the tool takes as arguments as well; where it has none of them, the fields as they are.
    private static IEnumerable<string> Wanted(Call call, JsonElement question)
    {
        if (Verbatim.Find(question, ["requestedSchema", "properties"]) is not { } properties)
        {
            return [];
        }

        var fields = properties.EnumerateObject().ToList();
        var arguments = call.Context.Server.ServerOptions.ToolCollection is { } tools && tools.TryGetPrimitive(call.Name, out var tool)
            ? Verbatim.Find(tool.ProtocolTool.InputSchema, ["properties"])
            : null;
        var taken = fields.Where(field => arguments?.TryGetProperty(field.Name, out _) == true).ToList();
        return (taken.Count > 0 ? taken : fields).Select(Describe);
    }

    private static string Describe(JsonProperty field)
    {
        var hint = Verbatim.Find(field.Value, ["description"]) ?? Verbatim.Find(field.Value, ["title"]);
        return hint is { ValueKind: JsonValueKind.String } text ? $"`{field.Name}` ({text.GetString()})" : $"`{field.Name}`";
    }
}
