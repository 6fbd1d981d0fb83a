using System.Text;
using System.Text.Json;
using System.Text.Unicode;

namespace ElicitDoctor.Benchmarks;

/// <summary>
/// The report of a well-formed <c>initialize</c> handshake as one writes it when it has to be fast: the input is read
/// once, the echo is copied from it, nothing is allocated.
/// </summary>
internal static class ReaderAndWriterReport
{
    private const int LongestHandshake = 1024 * 1024;

    private static readonly JsonEncodedText Initialize = JsonEncodedText.Encode("initialize");
    private static readonly JsonEncodedText Request = JsonEncodedText.Encode("request");
    private static readonly JsonEncodedText Response = JsonEncodedText.Encode("response");
    private static readonly JsonEncodedText Support = JsonEncodedText.Encode("support");
    private static readonly JsonEncodedText Elicitation = JsonEncodedText.Encode("elicitation");
    private static readonly JsonEncodedText ElicitationForm = JsonEncodedText.Encode("elicitationForm");
    private static readonly JsonEncodedText ElicitationUrl = JsonEncodedText.Encode("elicitationUrl");
    private static readonly JsonEncodedText Sampling = JsonEncodedText.Encode("sampling");
    private static readonly JsonEncodedText Roots = JsonEncodedText.Encode("roots");
    private static readonly JsonEncodedText Logging = JsonEncodedText.Encode("logging");
    private static readonly JsonEncodedText Revision = JsonEncodedText.Encode("revision");
    private static readonly JsonEncodedText Delivery = JsonEncodedText.Encode("delivery");
    private static readonly JsonEncodedText None = JsonEncodedText.Encode("none");
    private static readonly JsonEncodedText Deprecations = JsonEncodedText.Encode("deprecations");
    private static readonly JsonEncodedText Feature = JsonEncodedText.Encode("feature");
    private static readonly JsonEncodedText SinceRevision = JsonEncodedText.Encode("sinceRevision");
    private static readonly JsonEncodedText FirstDeprecatingRevision = JsonEncodedText.Encode(Revisions.WithDeprecations);
    private static readonly JsonEncodedText Proposal = JsonEncodedText.Encode("proposal");
    private static readonly JsonEncodedText ProposalNumber = JsonEncodedText.Encode("SEP-2577");
    private static readonly byte[] WithElicitation = Encoding.UTF8.GetBytes(Revisions.WithElicitation);
    private static readonly byte[] WithModes = Encoding.UTF8.GetBytes(Revisions.WithModes);

    internal static JsonWriterOptions WriterOptions { get; } = new() { SkipValidation = true };

    internal static void Write(ReadOnlySpan<byte> handshake, Utf8JsonWriter writer)
    {
        // The reader lets ill-formed UTF-8 inside of strings pass, which the echo would pass on.
        if (handshake.Length > LongestHandshake || !Utf8.IsValid(handshake))
        {
            throw new ArgumentException("The handshake is longer than 1 MiB or not UTF-8.", nameof(handshake));
        }

        Facts facts = default;
        var reader = new Utf8JsonReader(handshake, new JsonReaderOptions { MaxDepth = 128 });
        reader.Read();
        RequireObject(ref reader);
        while (NextProperty(ref reader))
        {
            if (reader.ValueTextEquals("initialize"u8))
            {
                reader.Read();
                ReadInitialize(ref reader, ref facts);
            }
            else
            {
                reader.Skip();
            }
        }

        // Reads to the end: something after the value is an error.
        while (reader.Read())
        {
        }

        ReadOnlySpan<byte> revision = handshake[facts.Revision];
        bool url = facts.Url && revision.SequenceCompareTo(WithModes) >= 0;
        bool form = facts.Elicitation && revision.SequenceCompareTo(WithElicitation) >= 0 && (facts.Form || !url);

        writer.WriteStartObject();
        writer.WriteStartObject(Initialize);
        WriteEcho(writer, Request, handshake[facts.Request]);
        WriteEcho(writer, Response, handshake[facts.Response]);
        writer.WriteEndObject();

        writer.WriteStartObject(Support);
        writer.WriteBoolean(Elicitation, form || url);
        writer.WriteBoolean(ElicitationForm, form);
        writer.WriteBoolean(ElicitationUrl, url);
        writer.WriteBoolean(Sampling, facts.Sampling);
        writer.WriteBoolean(Roots, facts.Roots);
        writer.WriteEndObject();

        writer.WriteString(Revision, revision);
        writer.WriteString(Delivery, form || url ? Request : None);
        if (facts.Sampling || facts.Roots || facts.Logging)
        {
            writer.WriteStartArray(Deprecations);
            WriteDeprecation(writer, Sampling, facts.Sampling);
            WriteDeprecation(writer, Roots, facts.Roots);
            WriteDeprecation(writer, Logging, facts.Logging);
            writer.WriteEndArray();
        }

        writer.WriteEndObject();
        writer.Flush();
    }

    private static void ReadInitialize(ref Utf8JsonReader reader, ref Facts facts)
    {
        RequireObject(ref reader);
        while (NextProperty(ref reader))
        {
            if (reader.ValueTextEquals("request"u8))
            {
                reader.Read();
                int start = (int)reader.TokenStartIndex;
                ReadRequest(ref reader, ref facts);
                facts.Request = start..(int)reader.BytesConsumed;
            }
            else if (reader.ValueTextEquals("response"u8))
            {
                reader.Read();
                int start = (int)reader.TokenStartIndex;
                ReadResponse(ref reader, ref facts);
                facts.Response = start..(int)reader.BytesConsumed;
            }
            else
            {
                reader.Skip();
            }
        }
    }

    private static void ReadRequest(ref Utf8JsonReader reader, ref Facts facts)
    {
        RequireObject(ref reader);
        while (NextProperty(ref reader))
        {
            if (!reader.ValueTextEquals("capabilities"u8))
            {
                reader.Skip();
                continue;
            }

            facts.Elicitation = facts.Form = facts.Url = facts.Sampling = facts.Roots = false;
            reader.Read();
            RequireObject(ref reader);
            while (NextProperty(ref reader))
            {
                if (reader.ValueTextEquals("elicitation"u8))
                {
                    ReadElicitation(ref reader, ref facts);
                }
                else if (reader.ValueTextEquals("sampling"u8))
                {
                    facts.Sampling = SkipObject(ref reader);
                }
                else if (reader.ValueTextEquals("roots"u8))
                {
                    facts.Roots = SkipObject(ref reader);
                }
                else
                {
                    reader.Skip();
                }
            }
        }
    }

    private static void ReadElicitation(ref Utf8JsonReader reader, ref Facts facts)
    {
        facts.Form = facts.Url = false;
        reader.Read();
        facts.Elicitation = reader.TokenType == JsonTokenType.StartObject;
        if (!facts.Elicitation)
        {
            reader.Skip();
            return;
        }

        while (NextProperty(ref reader))
        {
            if (reader.ValueTextEquals("form"u8))
            {
                facts.Form = SkipObject(ref reader);
            }
            else if (reader.ValueTextEquals("url"u8))
            {
                facts.Url = SkipObject(ref reader);
            }
            else
            {
                reader.Skip();
            }
        }
    }

    private static void ReadResponse(ref Utf8JsonReader reader, ref Facts facts)
    {
        RequireObject(ref reader);
        while (NextProperty(ref reader))
        {
            if (reader.ValueTextEquals("protocolVersion"u8))
            {
                reader.Read();
                if (reader.TokenType != JsonTokenType.String || reader.ValueIsEscaped)
                {
                    throw new JsonException("protocolVersion is no date.");
                }

                facts.Revision = ((int)reader.TokenStartIndex + 1)..((int)reader.BytesConsumed - 1);
            }
            else if (reader.ValueTextEquals("capabilities"u8))
            {
                facts.Logging = false;
                reader.Read();
                RequireObject(ref reader);
                while (NextProperty(ref reader))
                {
                    if (reader.ValueTextEquals("logging"u8))
                    {
                        facts.Logging = SkipObject(ref reader);
                    }
                    else
                    {
                        reader.Skip();
                    }
                }
            }
            else
            {
                reader.Skip();
            }
        }
    }

    private static bool NextProperty(ref Utf8JsonReader reader) => reader.Read() && reader.TokenType == JsonTokenType.PropertyName;

    private static bool SkipObject(ref Utf8JsonReader reader)
    {
        reader.Read();
        bool isObject = reader.TokenType == JsonTokenType.StartObject;
        reader.Skip();
        return isObject;
    }

    private static void RequireObject(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            throw new JsonException($"Expected an object at byte {reader.TokenStartIndex}.");
        }
    }

    private static void WriteEcho(Utf8JsonWriter writer, JsonEncodedText name, ReadOnlySpan<byte> value)
    {
        if (!value.IsEmpty)
        {
            writer.WritePropertyName(name);
            writer.WriteRawValue(value, skipInputValidation: true);
        }
    }

    private static void WriteDeprecation(Utf8JsonWriter writer, JsonEncodedText feature, bool declared)
    {
        if (declared)
        {
            writer.WriteStartObject();
            writer.WriteString(Feature, feature);
            writer.WriteString(SinceRevision, FirstDeprecatingRevision);
            writer.WriteString(Proposal, ProposalNumber);
            writer.WriteEndObject();
        }
    }

    private struct Facts
    {
        internal Range Request, Response, Revision;
        internal bool Elicitation, Form, Url, Sampling, Roots, Logging;
    }
}
