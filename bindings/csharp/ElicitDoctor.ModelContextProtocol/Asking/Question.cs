using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Nodes;
using ModelContextProtocol.Protocol;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>One question of a tool, before it is known how the host can be asked.</summary>
internal sealed class Question
{
    private readonly Action<Utf8JsonWriter, HandshakeConclusion> _write;

    private Question(ElicitationMode mode, ElicitOptions? options, Action<Utf8JsonWriter, HandshakeConclusion> write)
    {
        Mode = mode;
        Options = options ?? new();
        _write = write;
    }

    public ElicitationMode Mode { get; }

    public ElicitOptions Options { get; }

    public static Question Form(string message, FormSchema schema, ElicitOptions? options) => new(ElicitationMode.Form, options, (writer, host) =>
    {
        writer.WriteString("message", message);
        writer.WritePropertyName("requestedSchema");
        writer.WriteRawValue(schema.For(host.HasModes), skipInputValidation: true);
    });

    public static Question Form(string message, JsonElement schema, ElicitOptions? options) => new(ElicitationMode.Form, options, (writer, _) =>
    {
        writer.WriteString("message", message);
        writer.WritePropertyName("requestedSchema");
        schema.WriteTo(writer);
    });

    public static Question Url(string message, Uri url, ElicitOptions? options) => new(ElicitationMode.Url, options, (writer, host) =>
    {
        writer.WriteString("mode", "url");
        writer.WriteString("message", message);
        writer.WriteString("url", url.IsAbsoluteUri ? url.AbsoluteUri : url.OriginalString);
        WriteId(writer, host, null);
    });

    public static Question Raw(ElicitRequestParams request, ElicitOptions? options)
    {
        var isUrl = request.Mode == "url";
        return new(isUrl ? ElicitationMode.Url : ElicitationMode.Form, options, (writer, host) =>
        {
            var members = JsonSerializer.SerializeToNode(request, SdkJson.TypeInfo<ElicitRequestParams>())!.AsObject();
            foreach (var (name, value) in members)
            {
                // The SDK states the mode of forms, which no revision requires and the older ones do not know.
                if (name == "elicitationId" || (name == "mode" && (string?)value == "form"))
                {
                    continue;
                }

                writer.WritePropertyName(name);
                Verbatim.Write(writer, value);
            }

            if (isUrl)
            {
                WriteId(writer, host, request.ElicitationId);
            }
        });
    }

    /// <summary>The parameters of <c>elicitation/create</c> for a host.</summary>
    public byte[] ParamsFor(HandshakeConclusion host) => Verbatim.ToUtf8(writer =>
    {
        writer.WriteStartObject();
        _write(writer, host);
        writer.WriteEndObject();
    });

    /// <summary>
    /// Tells one question from another when the tool runs again. Two that differ only in the URL are the same: a tool makes a new
    /// one on every run, and the user was shown the first.
    /// </summary>
    public string FingerprintOf(byte[] parameters)
    {
        if (Mode == ElicitationMode.Url)
        {
            var members = JsonNode.Parse(parameters)!.AsObject();
            members.Remove("url");
            parameters = Verbatim.ToUtf8(writer => members.WriteTo(writer));
        }

        return Convert.ToBase64String(SHA256.HashData(parameters).AsSpan(0, 16));
    }

    private static void WriteId(Utf8JsonWriter writer, HandshakeConclusion host, string? elicitationId)
    {
        // 2025-11-25 requires it, later revisions do not have it.
        if (host.Delivery == Delivery.Request)
        {
            writer.WriteString("elicitationId", elicitationId ?? Guid.NewGuid().ToString("N"));
        }
    }
}
