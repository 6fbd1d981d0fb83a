using System.Text.Json;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What a host accepted with, after the check.</summary>
/// <param name="Content">The content; undefined where there is none.</param>
/// <param name="Latency">The time from the question to the answer.</param>
/// <param name="Url">The page that the user was shown; null for a form.</param>
/// <param name="ElicitationId">The name of the question; null where it has none.</param>
internal sealed record HostAnswer(JsonElement Content, TimeSpan Latency, string? Url, string? ElicitationId)
{
    public static string? UrlOf(byte[] parameters) => Text(parameters, "url");

    public static string? IdOf(byte[] parameters) => Text(parameters, "elicitationId");

    /// <summary>The members of the content that were asked for: no other was checked, and a serializer that ignores case takes <c>Days</c> for <c>days</c>.</summary>
    public static JsonElement ContentOf(byte[] parameters, byte[] result)
    {
        if (Verbatim.Find(JsonElement.Parse(result), ["content"]) is not { ValueKind: JsonValueKind.Object } content
            || Verbatim.Find(JsonElement.Parse(parameters), ["requestedSchema", "properties"]) is not { } fields)
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

    private static string? Text(byte[] parameters, string name) =>
        JsonElement.Parse(parameters).TryGetProperty(name, out var text) ? text.GetString() : null;
}
