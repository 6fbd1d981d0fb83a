using System.Buffers;
using System.Runtime.InteropServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Writes the SDK's JSON nodes as they were on the wire.</summary>
/// <remarks>
/// The SDK hands out what it parsed, not the bytes. Numbers, strings, the order of keys, unknown and duplicate keys come
/// through as sent, with two exceptions: escapes in the names of members are written in their shortest form, and so are those
/// in the strings of an object with duplicate keys. White space between tokens is dropped.
/// </remarks>
internal static class Verbatim
{
    private static readonly JsonWriterOptions WriterOptions = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    public static byte[] ToUtf8(Action<Utf8JsonWriter> write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, WriterOptions))
        {
            write(writer);
        }

        return buffer.WrittenSpan.ToArray();
    }

    public static void Write(Utf8JsonWriter writer, JsonNode? node)
    {
        switch (node)
        {
            case JsonObject members when HasDistinctKeys(members):
                writer.WriteStartObject();
                foreach (var (name, value) in members)
                {
                    writer.WritePropertyName(name);
                    Write(writer, value);
                }

                writer.WriteEndObject();
                break;
            case JsonArray items:
                writer.WriteStartArray();
                foreach (var item in items)
                {
                    Write(writer, item);
                }

                writer.WriteEndArray();
                break;
            case JsonValue value when value.TryGetValue(out JsonElement element):
                WriteRaw(writer, element);
                break;
            case null:
                writer.WriteNullValue();
                break;
            default:
                node.WriteTo(writer);
                break;
        }
    }

    /// <summary>The value at the end of a path of member names; null where a part of it is missing or no object.</summary>
    public static JsonElement? Find(JsonElement root, ReadOnlySpan<string> path)
    {
        foreach (var name in path)
        {
            if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty(name, out root))
            {
                return null;
            }
        }

        return root;
    }

    /// <summary>Writes a document with another value at the end of a path of member names; without it where the value is null.</summary>
    public static void WriteReplacing(Utf8JsonWriter writer, JsonElement element, ReadOnlySpan<string> path, Action<Utf8JsonWriter>? replacement)
    {
        if (element.ValueKind != JsonValueKind.Object)
        {
            element.WriteTo(writer);
            return;
        }

        writer.WriteStartObject();
        foreach (var member in element.EnumerateObject())
        {
            if (!member.NameEquals(path[0]))
            {
                member.WriteTo(writer);
            }
            else if (path.Length > 1)
            {
                writer.WritePropertyName(member.Name);
                WriteReplacing(writer, member.Value, path[1..], replacement);
            }
        }

        if (path.Length == 1 && replacement is not null)
        {
            writer.WritePropertyName(path[0]);
            replacement(writer);
        }

        writer.WriteEndObject();
    }

    /// <summary>
    /// The parameters of <c>initialize</c> without the capabilities that are no objects, so that the SDK can read them; null when
    /// there is nothing to take out.
    /// </summary>
    public static JsonNode? WithoutMalformedCapabilities(byte[] initializeParams, Action<JsonProperty> onMalformed)
    {
        using var document = JsonDocument.Parse(initializeParams);
        var malformed = Capabilities(document.RootElement).Where(IsMalformed).ToList();
        if (malformed.Count == 0)
        {
            return null;
        }

        malformed.ForEach(onMalformed);
        return JsonNode.Parse(ToUtf8(writer =>
        {
            writer.WriteStartObject();
            foreach (var member in document.RootElement.EnumerateObject())
            {
                if (!IsCapabilities(member))
                {
                    member.WriteTo(writer);
                    continue;
                }

                writer.WriteStartObject(member.Name);
                foreach (var capability in member.Value.EnumerateObject().Where(capability => !IsMalformed(capability)))
                {
                    capability.WriteTo(writer);
                }

                writer.WriteEndObject();
            }

            writer.WriteEndObject();
        }));
    }

    private static IEnumerable<JsonProperty> Capabilities(JsonElement initializeParams) =>
        initializeParams.ValueKind == JsonValueKind.Object
            ? initializeParams.EnumerateObject().Where(IsCapabilities).SelectMany(member => member.Value.EnumerateObject())
            : [];

    private static bool IsCapabilities(JsonProperty member) =>
        member.NameEquals("capabilities"u8) && member.Value.ValueKind == JsonValueKind.Object;

    // These are the capabilities that the report is about; another malformed one stays the SDK's matter.
    private static bool IsMalformed(JsonProperty capability) =>
        capability.Value.ValueKind is not (JsonValueKind.Object or JsonValueKind.Null)
        && (capability.NameEquals("elicitation"u8) || capability.NameEquals("sampling"u8) || capability.NameEquals("roots"u8));

    private static bool HasDistinctKeys(JsonObject members)
    {
        try
        {
            // A JsonObject builds its dictionary on first use, and cannot when a key occurs twice.
            _ = members.Count;
            return true;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    private static void WriteRaw(Utf8JsonWriter writer, JsonElement element) =>
#if NET9_0_OR_GREATER
        writer.WriteRawValue(JsonMarshal.GetRawUtf8Value(element), skipInputValidation: true);
#else
        writer.WriteRawValue(element.GetRawText(), skipInputValidation: true);
#endif
}
