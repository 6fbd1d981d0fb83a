using System.Text.Json;
using Json.Schema;

namespace ElicitDoctor.Benchmarks;

/// <summary>
/// Validation of one JSON text against one JSON Schema with the two libraries that .NET authors use, from the texts and
/// with a schema that was prepared. Formats are checked, as the doctor does.
/// </summary>
internal sealed class SchemaValidators
{
    private static readonly EvaluationOptions Options = new() { RequireFormatValidation = true };

    private readonly string _schema;
    private readonly JsonSchema _jsonSchemaNet;
    private readonly NJsonSchema.JsonSchema _nJsonSchema;

    internal SchemaValidators(string schema)
    {
        _schema = schema;
        _jsonSchemaNet = ReadJsonSchemaNet();
        _nJsonSchema = ReadNJsonSchema();
    }

    internal bool JsonSchemaNet(string json) => IsValid(ReadJsonSchemaNet(), json);

    internal bool PreparedJsonSchemaNet(string json) => IsValid(_jsonSchemaNet, json);

    internal bool NJsonSchema(string json) => ReadNJsonSchema().Validate(json).Count == 0;

    internal bool PreparedNJsonSchema(string json) => _nJsonSchema.Validate(json).Count == 0;

    /// <summary>What each of them says.</summary>
    internal bool[] All(string json) =>
        [JsonSchemaNet(json), PreparedJsonSchemaNet(json), NJsonSchema(json), PreparedNJsonSchema(json)];

    private static bool IsValid(JsonSchema schema, string json)
    {
        using JsonDocument document = JsonDocument.Parse(json);
        return schema.Evaluate(document.RootElement, Options).IsValid;
    }

    // A registry of its own: the global one would keep every schema that was ever read.
    private JsonSchema ReadJsonSchemaNet() => JsonSchema.FromText(_schema, new BuildOptions { SchemaRegistry = new SchemaRegistry() });

    // Completes at once: nothing in the schema has to be fetched.
    private NJsonSchema.JsonSchema ReadNJsonSchema() => global::NJsonSchema.JsonSchema.FromJsonAsync(_schema).GetAwaiter().GetResult();
}
