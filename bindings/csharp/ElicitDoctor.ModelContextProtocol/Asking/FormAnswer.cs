using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Reads content that has passed the check.</summary>
internal static class FormAnswer
{
    public static IReadOnlyDictionary<string, JsonElement> Members(JsonElement content) =>
        content.ValueKind == JsonValueKind.Object
            ? content.EnumerateObject().GroupBy(member => member.Name).ToDictionary(members => members.Key, members => members.Last().Value)
            : new Dictionary<string, JsonElement>();

    public static ElicitationOutcome<T> Read<T>(JsonElement content, JsonTypeInfo<T> typeInfo)
    {
        try
        {
            return JsonSerializer.Deserialize(ForSerializer(content, FormSchema.Of(typeInfo).Defaults), typeInfo) is { } value
                ? new ElicitationOutcome<T>.Accepted(value)
                : new ElicitationOutcome<T>.Failed("The answer is null.");
        }
        catch (Exception error)
        {
            // The schema cannot say all that a type demands, such as the range of a date or the checks of a constructor.
            return new ElicitationOutcome<T>.Failed($"The answer fits the form, but not {typeof(T).Name}: {error.Message}");
        }
    }

    // For JSON Schema 2.0 is an integer, for the serializer it is none; and it knows no default by attribute.
    private static byte[] ForSerializer(JsonElement content, JsonObject defaults) => Verbatim.ToUtf8(writer =>
    {
        writer.WriteStartObject();
        var members = Members(content);
        foreach (var (name, value) in defaults)
        {
            if (!members.ContainsKey(name))
            {
                writer.WritePropertyName(name);
                value!.WriteTo(writer);
            }
        }

        foreach (var (name, value) in members)
        {
            writer.WritePropertyName(name);
            if (value.ValueKind == JsonValueKind.Number && !value.TryGetInt64(out _) && value.TryGetDecimal(out var number) && number == decimal.Truncate(number))
            {
                writer.WriteNumberValue(decimal.Truncate(number));
            }
            else
            {
                value.WriteTo(writer);
            }
        }

        writer.WriteEndObject();
    });
}
