using System.Text.Json;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What a host accepted with, after the check.</summary>
/// <param name="Content">The content; undefined where there is none.</param>
/// <param name="Latency">The time from the question to the answer.</param>
/// <param name="Url">The page that the user was shown; null for a form.</param>
/// <param name="ElicitationId">The name of the question; null where it has none.</param>
internal sealed record HostAnswer(JsonElement Content, TimeSpan Latency, string? Url, string? ElicitationId)
{
    /// <summary>What a checked answer to a question has.</summary>
    public static HostAnswer Of(JsonElement question, JsonElement answer, TimeSpan latency) =>
        new(ContentOf(question, answer), latency, Text(question, "url"), Text(question, "elicitationId"));

    // The members that were asked for: no other was checked, and a serializer that ignores case takes `Days` for `days`.
    private static JsonElement ContentOf(JsonElement question, JsonElement answer)
    {
        if (Verbatim.Find(answer, ["content"]) is not { ValueKind: JsonValueKind.Object } content
            || Verbatim.Find(question, ["requestedSchema", "properties"]) is not { } fields)
        {
            return default;
        }

        return JsonElement.Parse(Verbatim.ToUtf8(writer =>
        {
            writer.WriteStartObject();
            foreach (var field in fields.EnumerateObject())
            {
                if (content.TryGetProperty(field.Name, out var value))
                {
                    writer.WritePropertyName(field.Name);
                    value.WriteTo(writer);
                }
            }

            writer.WriteEndObject();
        }));
    }

    private static string? Text(JsonElement question, string name) => question.TryGetProperty(name, out var text) ? text.GetString() : null;
}
