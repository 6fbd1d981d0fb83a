using System.Text;
using BenchmarkDotNet.Attributes;

namespace ElicitDoctor.Benchmarks;

/// <summary>
/// Whether a request may go out: by <see cref="Doctor"/>, and by validation against a JSON Schema of the parameters of
/// <c>elicitation/create</c>, which knows neither the host nor anything that a schema cannot say.
/// </summary>
[MemoryDiagnoser]
public class CheckRequestBenchmarks
{
    internal const string Request = $$"""
        {"mode":"form","message":"Whom may we expect?","requestedSchema":{{CheckAnswerBenchmarks.Schema}}}
        """;

    private const string BrokenRequest = """
        {"mode":"form","message":"Whom may we expect?","requestedSchema":{"type":"object","properties":{"address":{"type":"object","properties":{}}}}}
        """;

    /// <summary>What revision 2025-11-25 says that the parameters are, in keywords that both libraries know.</summary>
    private const string Schema = """
        {
          "$schema": "http://json-schema.org/draft-07/schema#",
          "anyOf": [
            {
              "type": "object",
              "required": ["message", "requestedSchema"],
              "properties": {
                "mode": {"enum": ["form"]},
                "message": {"type": "string"},
                "requestedSchema": {
                  "type": "object",
                  "required": ["type", "properties"],
                  "properties": {
                    "$schema": {"type": "string"},
                    "type": {"enum": ["object"]},
                    "properties": {
                      "type": "object",
                      "additionalProperties": {
                        "anyOf": [
                          {"$ref": "#/definitions/string"},
                          {"$ref": "#/definitions/number"},
                          {"$ref": "#/definitions/boolean"},
                          {"$ref": "#/definitions/choice"},
                          {"$ref": "#/definitions/titledChoice"},
                          {"$ref": "#/definitions/choices"},
                          {"$ref": "#/definitions/titledChoices"}
                        ]
                      }
                    },
                    "required": {"type": "array", "items": {"type": "string"}}
                  }
                }
              }
            },
            {
              "type": "object",
              "required": ["mode", "message", "url", "elicitationId"],
              "properties": {
                "mode": {"enum": ["url"]},
                "message": {"type": "string"},
                "url": {"type": "string", "format": "uri"},
                "elicitationId": {"type": "string"}
              }
            }
          ],
          "definitions": {
            "string": {
              "type": "object",
              "required": ["type"],
              "properties": {
                "type": {"enum": ["string"]},
                "title": {"type": "string"},
                "description": {"type": "string"},
                "minLength": {"type": "integer"},
                "maxLength": {"type": "integer"},
                "format": {"enum": ["date", "date-time", "email", "uri"]},
                "default": {"type": "string"}
              }
            },
            "number": {
              "type": "object",
              "required": ["type"],
              "properties": {
                "type": {"enum": ["integer", "number"]},
                "title": {"type": "string"},
                "description": {"type": "string"},
                "minimum": {"type": "number"},
                "maximum": {"type": "number"},
                "default": {"type": "number"}
              }
            },
            "boolean": {
              "type": "object",
              "required": ["type"],
              "properties": {
                "type": {"enum": ["boolean"]},
                "title": {"type": "string"},
                "description": {"type": "string"},
                "default": {"type": "boolean"}
              }
            },
            "choice": {
              "type": "object",
              "required": ["type", "enum"],
              "properties": {
                "type": {"enum": ["string"]},
                "title": {"type": "string"},
                "description": {"type": "string"},
                "enum": {"type": "array", "items": {"type": "string"}},
                "enumNames": {"type": "array", "items": {"type": "string"}},
                "default": {"type": "string"}
              }
            },
            "titledChoice": {
              "type": "object",
              "required": ["type", "oneOf"],
              "properties": {
                "type": {"enum": ["string"]},
                "title": {"type": "string"},
                "description": {"type": "string"},
                "oneOf": {"$ref": "#/definitions/titles"},
                "default": {"type": "string"}
              }
            },
            "choices": {
              "type": "object",
              "required": ["type", "items"],
              "properties": {
                "type": {"enum": ["array"]},
                "title": {"type": "string"},
                "description": {"type": "string"},
                "items": {
                  "type": "object",
                  "required": ["type", "enum"],
                  "properties": {
                    "type": {"enum": ["string"]},
                    "enum": {"type": "array", "items": {"type": "string"}}
                  }
                },
                "minItems": {"type": "integer"},
                "maxItems": {"type": "integer"},
                "default": {"type": "array", "items": {"type": "string"}}
              }
            },
            "titledChoices": {
              "type": "object",
              "required": ["type", "items"],
              "properties": {
                "type": {"enum": ["array"]},
                "title": {"type": "string"},
                "description": {"type": "string"},
                "items": {
                  "type": "object",
                  "required": ["anyOf"],
                  "properties": {"anyOf": {"$ref": "#/definitions/titles"}}
                },
                "minItems": {"type": "integer"},
                "maxItems": {"type": "integer"},
                "default": {"type": "array", "items": {"type": "string"}}
              }
            },
            "titles": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["const", "title"],
                "properties": {"const": {"type": "string"}, "title": {"type": "string"}}
              }
            }
          }
        }
        """;

    private static readonly byte[] Params = Encoding.UTF8.GetBytes(Request);

    private readonly DoctorReport _report = Doctor.Report(ReportBenchmarks.Handshake);
    private readonly SchemaValidators _validators = new(Schema);

    [Benchmark(Baseline = true)]
    public int CheckRequest() => Doctor.CheckRequest(_report, Params).Count;

    [Benchmark]
    public bool RequestByJsonSchemaNet() => _validators.JsonSchemaNet(Request);

    [Benchmark]
    public bool RequestByNJsonSchema() => _validators.NJsonSchema(Request);

    [Benchmark]
    public bool RequestByPreparedJsonSchemaNet() => _validators.PreparedJsonSchemaNet(Request);

    [Benchmark]
    public bool RequestByPreparedNJsonSchema() => _validators.PreparedNJsonSchema(Request);

    /// <summary>A comparison of things that do not do the same would be none.</summary>
    internal static void ThrowUnlessAllAgree()
    {
        var benchmarks = new CheckRequestBenchmarks();
        foreach ((string request, bool isValid) in new[] { (Request, true), (BrokenRequest, false) })
        {
            bool[] verdicts = [Doctor.CheckRequest(benchmarks._report, request) is [], .. benchmarks._validators.All(request)];
            if (verdicts.Any(verdict => verdict != isValid))
            {
                throw new InvalidOperationException($"{string.Join(", ", verdicts)} instead of {isValid} for {request}");
            }
        }
    }
}
