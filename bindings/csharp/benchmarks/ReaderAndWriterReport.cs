using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;

namespace ElicitDoctor.Benchmarks;

/// <summary>
/// The report of a well-formed <c>initialize</c> handshake as one writes it when it has to be fast: the input is read
/// once, the echo is copied from it, nothing is allocated. What the doctor would have a finding for is noticed, an equal
/// key anywhere included, and refused: a report that passes over it would be another report.
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
        var keys = new Keys(handshake);
        while (NextProperty(ref reader, ref keys))
        {
            if (reader.ValueTextEquals("initialize"u8))
            {
                reader.Read();
                ReadInitialize(handshake, ref reader, ref facts);
            }
            else
            {
                SkipChecked(handshake, ref reader);
            }
        }

        // Reads to the end: something after the value is an error.
        while (reader.Read())
        {
        }

        ReadOnlySpan<byte> revision = handshake[facts.Revision];
        if (!facts.ClientInfo || !Revisions.IsKnown(revision))
        {
            throw Odd();
        }

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

    private static void ReadInitialize(ReadOnlySpan<byte> handshake, ref Utf8JsonReader reader, ref Facts facts)
    {
        RequireObject(ref reader);
        var keys = new Keys(handshake);
        while (NextProperty(ref reader, ref keys))
        {
            if (reader.ValueTextEquals("request"u8))
            {
                reader.Read();
                int start = (int)reader.TokenStartIndex;
                ReadRequest(handshake, ref reader, ref facts);
                facts.Request = start..(int)reader.BytesConsumed;
            }
            else if (reader.ValueTextEquals("response"u8))
            {
                reader.Read();
                int start = (int)reader.TokenStartIndex;
                ReadResponse(handshake, ref reader, ref facts);
                facts.Response = start..(int)reader.BytesConsumed;
            }
            else
            {
                SkipChecked(handshake, ref reader);
            }
        }
    }

    private static void ReadRequest(ReadOnlySpan<byte> handshake, ref Utf8JsonReader reader, ref Facts facts)
    {
        RequireObject(ref reader);
        var keys = new Keys(handshake);
        while (NextProperty(ref reader, ref keys))
        {
            if (reader.ValueTextEquals("clientInfo"u8))
            {
                facts.ClientInfo = SkipObject(handshake, ref reader);
                continue;
            }

            if (!reader.ValueTextEquals("capabilities"u8))
            {
                SkipChecked(handshake, ref reader);
                continue;
            }

            facts.Elicitation = facts.Form = facts.Url = facts.Sampling = facts.Roots = false;
            reader.Read();
            RequireObject(ref reader);
            var capabilities = new Keys(handshake);
            while (NextProperty(ref reader, ref capabilities))
            {
                if (reader.ValueTextEquals("elicitation"u8))
                {
                    ReadElicitation(handshake, ref reader, ref facts);
                }
                else if (reader.ValueTextEquals("sampling"u8))
                {
                    facts.Sampling = SkipObject(handshake, ref reader) ? true : throw Odd();
                }
                else if (reader.ValueTextEquals("roots"u8))
                {
                    facts.Roots = SkipObject(handshake, ref reader) ? true : throw Odd();
                }
                else
                {
                    SkipChecked(handshake, ref reader);
                }
            }
        }
    }

    private static void ReadElicitation(ReadOnlySpan<byte> handshake, ref Utf8JsonReader reader, ref Facts facts)
    {
        facts.Form = facts.Url = false;
        reader.Read();
        RequireObject(ref reader);
        facts.Elicitation = true;

        var keys = new Keys(handshake);
        while (NextProperty(ref reader, ref keys))
        {
            if (reader.ValueTextEquals("form"u8))
            {
                facts.Form = SkipObject(handshake, ref reader) ? true : throw Odd();
            }
            else if (reader.ValueTextEquals("url"u8))
            {
                facts.Url = SkipObject(handshake, ref reader) ? true : throw Odd();
            }
            else
            {
                throw Odd();
            }
        }

        if (!facts.Form && !facts.Url)
        {
            throw Odd();
        }
    }

    private static void ReadResponse(ReadOnlySpan<byte> handshake, ref Utf8JsonReader reader, ref Facts facts)
    {
        RequireObject(ref reader);
        var keys = new Keys(handshake);
        while (NextProperty(ref reader, ref keys))
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
                var capabilities = new Keys(handshake);
                while (NextProperty(ref reader, ref capabilities))
                {
                    if (reader.ValueTextEquals("logging"u8))
                    {
                        facts.Logging = SkipObject(handshake, ref reader);
                    }
                    else if (reader.ValueTextEquals("elicitation"u8))
                    {
                        throw Odd();
                    }
                    else
                    {
                        SkipChecked(handshake, ref reader);
                    }
                }
            }
            else
            {
                SkipChecked(handshake, ref reader);
            }
        }
    }

    private static bool NextProperty(ref Utf8JsonReader reader, ref Keys keys)
    {
        if (!reader.Read() || reader.TokenType != JsonTokenType.PropertyName)
        {
            return false;
        }

        keys.Add(ref reader);
        return true;
    }

    /// <summary>Skips the value of a property, or the value that the reader is at.</summary>
    private static void SkipChecked(ReadOnlySpan<byte> handshake, ref Utf8JsonReader reader)
    {
        if (reader.TokenType == JsonTokenType.PropertyName)
        {
            reader.Read();
        }

        if (reader.TokenType == JsonTokenType.StartObject)
        {
            var keys = new Keys(handshake);
            while (NextProperty(ref reader, ref keys))
            {
                SkipChecked(handshake, ref reader);
            }
        }
        else if (reader.TokenType == JsonTokenType.StartArray)
        {
            while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
            {
                SkipChecked(handshake, ref reader);
            }
        }
    }

    private static bool SkipObject(ReadOnlySpan<byte> handshake, ref Utf8JsonReader reader)
    {
        reader.Read();
        bool isObject = reader.TokenType == JsonTokenType.StartObject;
        SkipChecked(handshake, ref reader);
        return isObject;
    }

    private static NotSupportedException Odd() => new("The doctor has a finding for this handshake, and this writes none.");

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

    /// <summary>The keys of one object so far, as places in the handshake.</summary>
    private ref struct Keys(ReadOnlySpan<byte> handshake)
    {
        private readonly ReadOnlySpan<byte> _handshake = handshake;
        private Places _places;
        private int _count;

        internal void Add(ref Utf8JsonReader reader)
        {
            if (reader.ValueIsEscaped || _count == Places.Length)
            {
                throw new NotSupportedException("A key with escapes, or an object with many keys: that takes another way.");
            }

            ReadOnlySpan<byte> key = reader.ValueSpan;
            foreach (var (start, length) in ((ReadOnlySpan<(int Start, int Length)>)_places)[.._count])
            {
                if (length == key.Length && _handshake.Slice(start, length).SequenceEqual(key))
                {
                    throw new JsonException("A key stands more than once in an object.");
                }
            }

            _places[_count++] = ((int)reader.TokenStartIndex + 1, key.Length);
        }
    }

    [InlineArray(Length)]
    private struct Places
    {
        internal const int Length = 8;
        private (int Start, int Length) _first;
    }

    private struct Facts
    {
        internal Range Request, Response, Revision;
        internal bool ClientInfo, Elicitation, Form, Url, Sampling, Roots, Logging;
    }
}
