using System.Text.Json;
using System.Text.Json.Serialization;

namespace StdioServer;

/// <summary>How the tools' own types are serialized; without reflection, so that it works under NativeAOT.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(Booking))]
[JsonSerializable(typeof(Trip))]
internal sealed partial class SampleJson : JsonSerializerContext;
