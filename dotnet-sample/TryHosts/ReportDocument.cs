using System.Text.Json;

namespace TryHosts;

/// <summary>The reports as one JSON document: <c>[{"host": name, "report": …}, …]</c>, the reports as the server sent them.</summary>
internal static class ReportDocument
{
    public static void Write(IEnumerable<Visit> visits, Stream output)
    {
        using var writer = new Utf8JsonWriter(output, new JsonWriterOptions { Indented = true });
        writer.WriteStartArray();
        foreach (var visit in visits)
        {
            writer.WriteStartObject();
            writer.WriteString("host", visit.Host.Name);
            writer.WritePropertyName("report");
            writer.WriteRawValue(visit.ReportJson);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.Flush();
        output.WriteByte((byte)'\n');
    }
}
