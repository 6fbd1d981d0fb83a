using System.Text.Json;
using ModelContextProtocol.Protocol;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What the doctor's tools share in what they read and answer.</summary>
internal static class ToolText
{
    // A structured result sits three levels deep in its message, and the SDKs read 64.
    public const int MaxDepth = 61;

    public static CallToolResult Error(string message) => new()
    {
        IsError = true,
        Content = [new TextContentBlock { Text = message }],
    };

    /// <summary>A result as structured content, and the same as text.</summary>
    public static CallToolResult Structured(Action<Utf8JsonWriter> writeMembers)
    {
        var result = Parse(Verbatim.ToUtf8(writer =>
        {
            writer.WriteStartObject();
            writeMembers(writer);
            writer.WriteEndObject();
        }));
        return new() { Content = [new TextContentBlock { Text = result.GetRawText() }], StructuredContent = result };
    }

    public static JsonElement Parse(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = MaxDepth });
        return JsonElement.ParseValue(ref reader);
    }

    public static string Shorten(string text) => text.Length <= 100 ? text : $"{text.AsSpan(0, 100)}…";
}
