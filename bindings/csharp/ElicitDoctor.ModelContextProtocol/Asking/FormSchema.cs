using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Diagnostics.CodeAnalysis;
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

    private FormSchema(JsonObject modern, JsonObject legacy)
    {
        _modern = Verbatim.ToUtf8(writer => modern.WriteTo(writer));
        _legacy = Verbatim.ToUtf8(writer => legacy.WriteTo(writer));
    }

    /// <summary>The schema for a revision from 2025-11-25 on, or for an older one.</summary>
    public byte[] For(bool isModern) => isModern ? _modern : _legacy;

    /// <exception cref="ElicitationRequestException">The type has something that elicitation cannot ask for.</exception>
    public static FormSchema Of(JsonTypeInfo type) => Known.GetValue(type, Make);

    private static FormSchema Make(JsonTypeInfo type)
    {
        if (type.Kind != JsonTypeInfoKind.Object)
        {
            throw Refuse(type, "", "is no record or class with members", "make a record with one member per field of the form");
        }

        var general = General(type);
        var members = type.Properties.Where(IsAnswerable).ToList();
        if (members.Count == 0)
        {
            throw Refuse(type, "", "has no members that can be set", "give it one per field of the form, or use ConfirmAsync for a yes or a no");
        }

        JsonObject modern = [], legacy = [];
        JsonArray required = [];
        foreach (var member in members)
        {
            var field = Field(type, member, (JsonObject)general["properties"]![member.Name]!);
            modern.Add(member.Name, field);
            legacy.Add(member.Name, ToLegacy(field));
            if (IsRequired(member, field))
            {
                required.Add((JsonNode)member.Name);
            }
        }

        return new(Form(modern, required), Form(legacy, required));
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
        // The exporter fails on a parameter whose default it cannot write, and does not say on which.
        var member = type.Properties.FirstOrDefault(candidate => candidate.AssociatedParameter is { HasDefaultValue: true, DefaultValue: null }
            && candidate.PropertyType.IsValueType && Nullable.GetUnderlyingType(candidate.PropertyType) is null);
        if (member is not null)
        {
            throw Refuse(type, member.Name, "has the default value of its type, which no form can show", "make it nullable, with null as the default");
        }

        return (JsonObject)JsonNode.Parse(AIJsonUtilities.CreateJsonSchema(type.Type, serializerOptions: type.Options).GetRawText())!;
    }

    // What has neither a setter nor a parameter of the constructor is computed, and no field.
    private static bool IsAnswerable(JsonPropertyInfo member) =>
        !member.IsExtensionData && (member.Set is not null || member.AssociatedParameter is not null);

    private static JsonObject Field(JsonTypeInfo type, JsonPropertyInfo member, JsonObject general)
    {
        var field = WithoutNull(general);
        var kind = (string?)(field["type"] as JsonValue);
        var clrType = Nullable.GetUnderlyingType(member.PropertyType) ?? member.PropertyType;
        if (clrType == typeof(byte[]))
        {
            throw Refuse(type, member.Name, "is binary data, which nobody can type in", "leave it out, and let a URL (TryElicitUrlAsync) take uploads");
        }

        switch (kind)
        {
            case "string" when field["enum"] is JsonArray values:
                return Choice(type, member, clrType, field, values);
            case "array":
                return Choices(type, member, clrType, field);
            case "string" when clrType.IsEnum:
                throw Refuse(type, member.Name, "is an enum of flags", $"make it a list of {clrType.Name} without [Flags]");
            case "integer" when clrType.IsEnum:
                throw Refuse(
                    type, member.Name, "is an enum that is serialized as a number", $"put [JsonConverter(typeof(JsonStringEnumConverter<{clrType.Name}>))] on {clrType.Name}");
            case "string":
                if (field["format"] is { } format && !Formats.Contains((string?)format))
                {
                    throw Refuse(type, member.Name, $"is text of the format \"{format}\"", "make it a string, and parse it when it was answered");
                }

                if (field.ContainsKey("pattern"))
                {
                    throw Refuse(type, member.Name, "is text with a pattern, which no host checks or explains", "describe it in [Description], and check the answer yourself");
                }

                return field;
            case "integer" or "number":
                AddRange(clrType, field);
                return field;
            case "boolean":
                return field;
            case "object":
                throw Refuse(type, member.Name, "is an object of its own, and forms are flat", "move its members up, or ask for it in a question of its own");
            default:
                throw Refuse(type, member.Name, $"is a {clrType.Name}, for which there is no field", "make it a string, a number, a boolean, a date, an enum or a list of an enum");
        }
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
        if (clrType.IsEnum && Titled(type.Options, clrType, values) is { } titled)
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
        if (field["items"] is not JsonObject items || items["enum"] is not JsonArray values || element is null)
        {
            throw Refuse(type, member.Name, "is a list of something else than choices", "make it a list of an enum, or one string, and split it when it was answered");
        }

        if (element.IsEnum && Titled(type.Options, element, values) is { } titled)
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
        if (Attribute<DescriptionAttribute>(member) is null)
        {
            field.Remove("description");
        }

        return field;
    }

    /// <summary>The choices with what they are called; null where no member of the enum has a name for people.</summary>
    private static JsonArray? Titled(JsonSerializerOptions options, Type enumType, JsonArray values)
    {
        var titles = new Dictionary<string, string>();
        var info = options.GetTypeInfo(enumType);
        foreach (var (name, title) in Titles(enumType))
        {
            // How the serializer spells it is what comes back.
            titles[JsonSerializer.SerializeToElement(Enum.Parse(enumType, name), info).GetString()!] = title;
        }

        return titles.Count == 0
            ? null
            : [.. values.Select(JsonNode (value) => new JsonObject
            {
                ["const"] = (string)value!,
                ["title"] = titles.GetValueOrDefault((string)value!, (string)value!),
            })];
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "Trimming keeps the fields of an enum that is used, and their attributes.")]
    private static IEnumerable<(string Name, string Title)> Titles(Type enumType)
    {
        foreach (var field in enumType.GetFields(BindingFlags.Public | BindingFlags.Static))
        {
            var title = field.GetCustomAttribute<DisplayAttribute>()?.GetName() ?? field.GetCustomAttribute<DescriptionAttribute>()?.Description;
            if (!string.IsNullOrEmpty(title))
            {
                yield return (field.Name, title);
            }
        }
    }

    private static void AddRange(Type clrType, JsonObject field)
    {
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
    private static bool IsRequired(JsonPropertyInfo member, JsonObject field)
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
            field["default"] ??= JsonSerializer.SerializeToNode(initial, member.Options.GetTypeInfo(initial.GetType()));
            return false;
        }

        return member.PropertyType.IsValueType
            ? Nullable.GetUnderlyingType(member.PropertyType) is null
            : !(member.AssociatedParameter?.IsNullable ?? member.IsSetNullable);
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

    private static ElicitationRequestException Refuse(JsonTypeInfo type, string member, string what, string wayOut) =>
        new($"{type.Type.Name}{(member.Length == 0 ? "" : $".{member}")} {what}, so that elicitation cannot ask for it: {wayOut}.");
}
