using System.Text.Json.Serialization.Metadata;
using ModelContextProtocol;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>How the SDK reads and writes its own types, without reflection.</summary>
internal static class SdkJson
{
    public static JsonTypeInfo<T> TypeInfo<T>() => (JsonTypeInfo<T>)McpJsonUtilities.DefaultOptions.GetTypeInfo(typeof(T));
}
