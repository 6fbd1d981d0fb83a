using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using Microsoft.Extensions.AI;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>The form that asks for a type: a flat schema of the kinds of fields that elicitation has.</summary>
/// <remarks>
/// The general schema of the type, attributes included, comes from <see cref="AIJsonUtilities"/>. What is done here is to bring it into
/// the narrow form of the specification, and to name the member that does not go into it.
/// </remarks>
internal sealed class FormSchema
{
    private static readonly ConditionalWeakTable<JsonTypeInfo, FormSchema> Known = [];

    private static readonly string[] Formats = ["email", "uri", "date", "date-time"];

    private readonly byte[] _modern;
    private readonly byte[] _legacy;

    private FormSchema(JsonObject modern, JsonObject legacy, JsonObject defaults)
    {
        Defaults = defaults;
        _modern = Verbatim.ToUtf8(writer => modern.WriteTo(writer));
        _legacy = Verbatim.ToUtf8(writer => legacy.WriteTo(writer));
    }

    /// <summary>What the members have that were left out and that the type itself gives no value: the defaults by attribute.</summary>
    public JsonObject Defaults { get; }

    /// <summary>The schema for a revision from 2025-11-25 on, or for an older one.</summary>
    public byte[] For(bool isModern) => isModern ? _modern : _legacy;

    /// <exception cref="ElicitationRequestException">The type has something that elicitation cannot ask for.</exception>
    public static FormSchema Of(JsonTypeInfo type) => Known.GetValue(type, Make);

    private static FormSchema Make(JsonTypeInfo type)
    {
        if (type.Kind != JsonTypeInfoKind.Object)
        {
            throw Refuse(type.Type.Name, "is no record or class with members", "make a record with one member per field of the form");
        }

        if (type.CreateObject is null && type.Properties.All(member => member.AssociatedParameter is null))
        {
            throw Refuse(type.Type.Name, "has no constructor for an answer", "give it one without parameters, or mark the one to use with [JsonConstructor]");
        }

        if (type.PolymorphismOptions is not null)
        {
            throw Refuse(type.Type.Name, "stands for several types", "ask for one of them");
        }

        var general = General(type);
        var members = type.Properties.Where(IsAnswerable).ToList();
        if (members.Count == 0)
        {
            throw Refuse(type.Type.Name, "has no members that can be set", "give it one per field of the form, or use ConfirmAsync for a yes or a no");
        }

        JsonObject modern = [], legacy = [], defaults = [];
        JsonArray required = [];
        foreach (var member in members)
        {
            // The schema of what can be anything is true.
            var field = Field(type, member, general["properties"]![member.Name] as JsonObject ?? []);
            if (IsRequired(type, member, field))
            {
                required.Add((JsonNode)member.Name);
            }
            else if (field["default"] is { } initial && member.AssociatedParameter is not { HasDefaultValue: true })
            {
                defaults.Add(member.Name, initial.DeepClone());
            }

            modern.Add(member.Name, field);
            legacy.Add(member.Name, ToLegacy(field));
        }

        return new(Form(modern, required), Form(legacy, required), defaults);
    }

    private static JsonObject Form(JsonObject properties, JsonArray required)
    {
        var form = new JsonObject { ["type"] = "object", ["properties"] = properties };
        if (required.Count > 0)
        {
            form["required"] = required.DeepClone();
        }

        return form;
    }

    private static JsonObject General(JsonTypeInfo type)
    {
        // Such a default is no constant: by reflection it is null, on which the exporter fails without a name, and in a generated context
        // it is a date of the year 1.
        var member = type.Properties.FirstOrDefault(candidate => candidate.AssociatedParameter is { HasDefaultValue: true }
            && candidate.PropertyType.IsValueType
            && Nullable.GetUnderlyingType(candidate.PropertyType) is null
            && Type.GetTypeCode(candidate.PropertyType) is TypeCode.Object or TypeCode.DateTime);
        if (member is not null)
        {
            throw Refuse(type, member, "has the default value of its type, which no form can show", "make it nullable, with null as the default");
        }

        return (JsonObject)JsonNode.Parse(AIJsonUtilities.CreateJsonSchema(type.Type, serializerOptions: type.Options).GetRawText())!;
    }

    // What has neither a setter nor a parameter of the constructor is computed, and no field; what is ignored has not even a getter.
    private static bool IsAnswerable(JsonPropertyInfo member) =>
        !member.IsExtensionData && (member.Set is not null || member is { AssociatedParameter: not null, Get: not null });

    private static JsonObject Field(JsonTypeInfo type, JsonPropertyInfo member, JsonObject general)
    {
        var field = WithoutNull(general);
        if (Attribute<DisplayAttribute>(member) is { } display)
        {
            Name(field, "title", display.GetName());
            Name(field, "description", display.GetDescription());
        }

        var kind = (string?)(field["type"] as JsonValue);
        var clrType = Nullable.GetUnderlyingType(member.PropertyType) ?? member.PropertyType;
        if (clrType == typeof(byte[]) || clrType == typeof(Memory<byte>) || clrType == typeof(ReadOnlyMemory<byte>))
        {
            throw Refuse(type, member, "is binary data, which nobody can type in", "leave it out, and let a URL (TryElicitUrlAsync) take uploads");
        }

        switch (kind)
        {
            case "string" when field["enum"] is JsonArray values:
                return Choice(type, member, clrType, field, values);
            case "array":
                return Choices(type, member, clrType, field);
            case "string" when clrType.IsEnum:
                throw Refuse(type, member, "is an enum of flags", $"make it a list of {clrType.Name} without [Flags]");
            case "integer" when clrType.IsEnum:
                throw Refuse(
                    type, member, "is an enum that is serialized as a number", $"put [JsonConverter(typeof(JsonStringEnumConverter<{clrType.Name}>))] on {clrType.Name}");
            case "string":
                if (field["format"] is { } format && !Formats.Contains((string?)format))
                {
                    throw Refuse(type, member, $"is text of the format \"{format}\"", "make it a string, and parse it when it was answered");
                }

                if (field.ContainsKey("pattern") && Attribute<RegularExpressionAttribute>(member) is null)
                {
                    throw Refuse(
                        type, member, $"is a {clrType.Name}, which has a notation of its own", "make it a number or a string, and convert it when it was answered");
                }

                return Plain(type, member, field, "format", "minLength", "maxLength");
            case "integer" or "number":
                if (Attribute<RangeAttribute>(member) is { MinimumIsExclusive: true })
                {
                    field["exclusiveMinimum"] = true;
                }

                AddRange(clrType, field);
                return Plain(type, member, field, "minimum", "maximum");
            case "boolean":
                return Plain(type, member, field);
            case "object":
                throw Refuse(type, member, "is an object of its own, and forms are flat", "move its members up, or ask for it in a question of its own");
            default:
                throw Refuse(type, member, $"has the type {clrType.Name}, for which there is no field", "make it a string, a number, a boolean, a date, an enum or a list of an enum");
        }
    }

    private static void Name(JsonObject field, string keyword, string? text)
    {
        if (text is not null)
        {
            field[keyword] = text;
        }
    }

    /// <summary>A field without anything that only a general schema can demand, such as a pattern.</summary>
    private static JsonObject Plain(JsonTypeInfo type, JsonPropertyInfo member, JsonObject field, params string[] keywords)
    {
        foreach (var (keyword, _) in field)
        {
            if (keyword is not ("type" or "title" or "description" or "default") && !keywords.Contains(keyword))
            {
                throw Refuse(
                    type, member, $"has an attribute for \"{keyword}\", which no host checks or explains", "describe it in [Description], and check the answer yourself");
            }
        }

        return field;
    }

    /// <summary>Nullable is expressed by not being required; a form has no null.</summary>
    private static JsonObject WithoutNull(JsonObject general)
    {
        var field = (JsonObject)general.DeepClone();
        if (field["type"] is JsonArray types)
        {
            // A number that may be written as text is asked for as a number.
            var kinds = types.Select(kind => (string)kind!).Where(kind => kind != "null").ToList();
            var number = kinds.Find(kind => kind is "integer" or "number");
            field["type"] = number ?? kinds[0];
            if (number is not null)
            {
                field.Remove("pattern");
            }
        }

        if (field["enum"] is JsonArray values)
        {
            field["enum"] = new JsonArray([.. values.Where(value => value is not null).Select(value => value!.DeepClone())]);
        }

        if (field.TryGetPropertyValue("default", out var initial) && initial is null)
        {
            field.Remove("default");
        }

        field.Remove("$comment");
        return field;
    }

    private static JsonObject Choice(JsonTypeInfo type, JsonPropertyInfo member, Type clrType, JsonObject field, JsonArray values)
    {
        if (clrType.IsEnum && Titled(type, member, clrType, values) is { } titled)
        {
            field.Remove("enum");
            field["oneOf"] = titled;
        }

        // The enum's own description says nothing about this field.
        return WithDescriptionOf(member, field);
    }

    private static JsonObject Choices(JsonTypeInfo type, JsonPropertyInfo member, Type clrType, JsonObject field)
    {
        var element = type.Options.GetTypeInfo(clrType).ElementType;
        if (field["items"] is not JsonObject items || WithoutNull(items)["enum"] is not JsonArray values || element is null)
        {
            throw Refuse(type, member, "is a list of something else than choices", "make it a list of an enum, or one string, and split it when it was answered");
        }

        element = Nullable.GetUnderlyingType(element) ?? element;
        if (element.IsEnum && Titled(type, member, element, values) is { } titled)
        {
            field["items"] = new JsonObject { ["anyOf"] = titled };
        }
        else
        {
            field["items"] = new JsonObject { ["type"] = "string", ["enum"] = values.DeepClone() };
        }

        return field;
    }

    private static JsonObject WithDescriptionOf(JsonPropertyInfo member, JsonObject field)
    {
        if (Attribute<DescriptionAttribute>(member) is null && Attribute<DisplayAttribute>(member)?.GetDescription() is null)
        {
            field.Remove("description");
        }

        return field;
    }

    /// <summary>The choices with what they are called; null where no member of the enum has a name for people.</summary>
    private static JsonArray? Titled(JsonTypeInfo type, JsonPropertyInfo member, Type enumType, JsonArray values)
    {
        // The values are spelt as the serializer does it, and stand in the order of the names.
        var titles = Titles(enumType);
        if (titles.Count != values.Count || titles.All(title => title is null))
        {
            return null;
        }

        var named = values.Zip(titles, (value, title) => (Value: (string)value!, Title: title ?? (string)value!)).ToList();
        return named.DistinctBy(choice => choice.Title).Count() == named.Count
            ? [.. named.Select(JsonNode (choice) => new JsonObject { ["const"] = choice.Value, ["title"] = choice.Title })]
            : throw Refuse(type, member, "has two choices that are called the same", $"give each value of {enumType.Name} a name of its own");
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "Trimming keeps the fields of an enum that is used, and their attributes.")]
    private static List<string?> Titles(Type enumType) =>
    [
        .. Enum.GetNames(enumType).Select(name => enumType.GetField(name)!).Select(field =>
            (field.GetCustomAttribute<DisplayAttribute>()?.GetName() ?? field.GetCustomAttribute<DescriptionAttribute>()?.Description) is { Length: > 0 } title ? title : null),
    ];

    private static void AddRange(Type clrType, JsonObject field)
    {
        foreach (var bound in new[] { "minimum", "maximum" })
        {
            // [Range(typeof(decimal), "0.01", "99.99")] has texts.
            if (field[bound] is JsonValue value && value.TryGetValue(out string? text) && decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number))
            {
                field[bound] = number;
            }
        }

        (decimal? least, decimal? most) = Type.GetTypeCode(clrType) switch
        {
            TypeCode.Byte => (byte.MinValue, byte.MaxValue),
            TypeCode.SByte => (sbyte.MinValue, sbyte.MaxValue),
            TypeCode.Int16 => (short.MinValue, short.MaxValue),
            TypeCode.UInt16 => (ushort.MinValue, ushort.MaxValue),
            TypeCode.UInt32 or TypeCode.UInt64 => (0, null),
            _ => ((decimal?)null, (decimal?)null),
        };
        if (least is not null && !field.ContainsKey("minimum"))
        {
            field["minimum"] = least;
        }

        if (most is not null && !field.ContainsKey("maximum"))
        {
            field["maximum"] = most;
        }
    }

    /// <summary>A member that is not nullable and has no default must be answered: left out, it would silently be null or zero.</summary>
    private static bool IsRequired(JsonTypeInfo type, JsonPropertyInfo member, JsonObject field)
    {
        if (member.IsRequired || Attribute<RequiredAttribute>(member) is not null)
        {
            return true;
        }

        if (member.AssociatedParameter is { HasDefaultValue: true })
        {
            return false;
        }

        if (Attribute<DefaultValueAttribute>(member) is { Value: { } initial })
        {
            field["default"] ??= Initial(type, member, initial);
            return false;
        }

        return member.PropertyType.IsValueType
            ? Nullable.GetUnderlyingType(member.PropertyType) is null
            : !(member.AssociatedParameter?.IsNullable ?? member.IsSetNullable);
    }

    private static JsonNode? Initial(JsonTypeInfo type, JsonPropertyInfo member, object initial)
    {
        // A text stands for itself, also where it is a date.
        if (initial is string text)
        {
            return JsonValue.Create(text);
        }

        var clrType = Nullable.GetUnderlyingType(member.PropertyType) ?? member.PropertyType;
        try
        {
            var value = clrType.IsEnum ? Enum.ToObject(clrType, initial) : Convert.ChangeType(initial, clrType, CultureInfo.InvariantCulture);
            return JsonSerializer.SerializeToNode(value, member.Options.GetTypeInfo(clrType));
        }
        catch (Exception error) when (error is InvalidCastException or FormatException or OverflowException or ArgumentException or NotSupportedException)
        {
            throw Refuse(type, member, $"has the default {initial}, which is no {clrType.Name}", "give it one of its own type");
        }
    }

    private static JsonObject ToLegacy(JsonObject field)
    {
        var legacy = (JsonObject)field.DeepClone();
        if (legacy["oneOf"] is JsonArray choices)
        {
            legacy.Remove("oneOf");
            legacy["enum"] = new JsonArray([.. choices.Select(choice => choice!["const"]!.DeepClone())]);
            legacy["enumNames"] = new JsonArray([.. choices.Select(choice => choice!["title"]!.DeepClone())]);
        }

        if ((string?)legacy["type"] != "boolean")
        {
            legacy.Remove("default");
        }

        return legacy;
    }

    private static TAttribute? Attribute<TAttribute>(JsonPropertyInfo member)
        where TAttribute : Attribute =>
        First<TAttribute>(member.AttributeProvider) ?? First<TAttribute>(member.AssociatedParameter?.AttributeProvider);

    private static TAttribute? First<TAttribute>(ICustomAttributeProvider? provider)
        where TAttribute : Attribute =>
        provider?.GetCustomAttributes(typeof(TAttribute), inherit: true).OfType<TAttribute>().FirstOrDefault();

    private static ElicitationRequestException Refuse(JsonTypeInfo type, JsonPropertyInfo member, string what, string wayOut) =>
        Refuse($"{type.Type.Name}.{(member.AttributeProvider as MemberInfo)?.Name ?? member.Name}", what, wayOut);

    private static ElicitationRequestException Refuse(string name, string what, string wayOut) =>
        new($"{name} {what}, so that elicitation cannot ask for it: {wayOut}.");
}
