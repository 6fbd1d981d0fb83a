using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace ElicitDoctor.Benchmarks;

/// <summary>The report of a well-formed <c>initialize</c> handshake as one writes it with <see cref="JsonNode"/>.</summary>
internal static class JsonNodeReport
{
    private const int LongestHandshake = 1024 * 1024;

    // Without the relaxed encoder an apostrophe in the handshake would not come out as it went in.
    internal static JsonWriterOptions WriterOptions { get; } = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    internal static void Write(ReadOnlySpan<byte> handshake, Utf8JsonWriter writer)
    {
        if (handshake.Length > LongestHandshake)
        {
            throw new ArgumentException("The handshake is longer than 1 MiB.", nameof(handshake));
        }

        JsonObject root = JsonNode.Parse(handshake, documentOptions: new JsonDocumentOptions { MaxDepth = 128 })!.AsObject();
        JsonObject initialize = root["initialize"]!.AsObject();
        JsonNode? capabilities = initialize["request"]?["capabilities"];
        JsonNode? response = initialize["response"];
        string revision = response!["protocolVersion"]!.GetValue<string>();

        var elicitation = capabilities?["elicitation"] as JsonObject;
        bool url = elicitation?["url"] is JsonObject && IsFrom(revision, Revisions.WithModes);
        bool form = elicitation is not null && IsFrom(revision, Revisions.WithElicitation)
            && (elicitation["form"] is JsonObject || !url);
        bool sampling = capabilities?["sampling"] is JsonObject;
        bool roots = capabilities?["roots"] is JsonObject;
        bool logging = response["capabilities"]?["logging"] is JsonObject;

        // Moved instead of cloned: cheaper, and the parsed tree is of no other use.
        root.Remove("initialize");
        var report = new JsonObject
        {
            ["initialize"] = initialize,
            ["support"] = new JsonObject
            {
                ["elicitation"] = form || url,
                ["elicitationForm"] = form,
                ["elicitationUrl"] = url,
                ["sampling"] = sampling,
                ["roots"] = roots,
            },
            ["revision"] = revision,
            ["delivery"] = form || url ? "request" : "none",
        };
        if (sampling || roots || logging)
        {
            var deprecations = new JsonArray();
            AddDeprecation(deprecations, "sampling", sampling);
            AddDeprecation(deprecations, "roots", roots);
            AddDeprecation(deprecations, "logging", logging);
            report["deprecations"] = deprecations;
        }

        report.WriteTo(writer);
        writer.Flush();
    }

    private static bool IsFrom(string revision, string first) => string.CompareOrdinal(revision, first) >= 0;

    private static void AddDeprecation(JsonArray deprecations, string feature, bool declared)
    {
        if (declared)
        {
            deprecations.Add((JsonNode)new JsonObject
            {
                ["feature"] = feature,
                ["sinceRevision"] = Revisions.WithDeprecations,
                ["proposal"] = "SEP-2577",
            });
        }
    }
}
