using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The types that are asked for.</summary>
public sealed partial class FormSchemaTests
{
    [Description("The description of a type says nothing of a field.")]
    internal enum Seat
    {
        [Display(Name = "Window seat")]
        Window,

        [Description("By the aisle")]
        Aisle,

        Middle,
    }

    internal enum Colour
    {
        Red,
        Green,
    }

    internal enum Size
    {
        [JsonStringEnumMemberName("s")]
        Small,

        [JsonStringEnumMemberName("xl")]
        Large,
    }

    internal enum Meal
    {
        [JsonStringEnumMemberName("no-meat"), Display(Name = "Vegetarian")]
        NoMeat = 7,

        [JsonStringEnumMemberName("any")]
        Any = 2,
    }

    [JsonConverter(typeof(JsonStringEnumConverter<Spelt>))]
    internal enum Spelt
    {
        [Display(Name = "Number one")]
        One,

        Two,
    }

    [Flags]
    internal enum Rights
    {
        Read = 1,
        Write = 2,
    }

    /// <summary>Without a list, which 2025-06-18 cannot answer.</summary>
    internal sealed record Flat([property: Range(1, 9)] int Days, Spelt Spelt, string Name = "n", bool IsSure = true);

    internal sealed record Everything(
        string Text,
        [Description("As in the passport.")] string Described,
        [property: DisplayName("Family name")] string Called,
        [property: Display(Name = "First name", Description = "As people call you.")] string Shown,
        [StringLength(10, MinimumLength = 2)] string Short,
        [MinLength(3)] string Long,
        [EmailAddress] string Mail,
        [Url] string Web,
        char Letter,
        [AllowedValues("a", "b")] string OneOfTwo,
        DateOnly Day,
        DateTime Time,
        DateTimeOffset Moment,
        Uri Page,
        bool Yes,
        int Int,
        [Range(1, 5)] int Stars,
        byte Byte,
        sbyte SByte,
        short Short16,
        ushort UShort,
        ulong ULong,
        [Range(0, 9)] byte SmallByte,
        [Range(0.5, 1.5)] double Double,
        decimal Price,
        [Range(typeof(decimal), "0.01", "99.99")] decimal RangedPrice,
        Seat Seat,
        [Description("Where to sit.")] Seat DescribedSeat,
        Colour Colour,
        Size Size,
        Meal Meal,
        IReadOnlyList<Colour> Colours,
        [MinLength(1), MaxLength(2)] List<Seat> Seats,
        [Length(1, 2)] HashSet<Colour> ColourSet,
        Colour[]? MaybeColours,
        string? MaybeText,
        int? MaybeInt,
        bool? MaybeYes,
        DateOnly? MaybeDay,
        Uri? MaybePage,
        Colour? MaybeColour,
        Seat? MaybeSeat,
        [property: JsonPropertyName("re-named"), DisplayName("Renamed")] string Renamed,
        string TextBefore = "Ann",
        int IntBefore = 2,
        double DoubleBefore = 1.5,
        decimal PriceBefore = 9.5m,
        bool YesBefore = true,
        Colour ColourBefore = Colour.Green,
        Seat SeatBefore = Seat.Aisle,
        int? MaybeIntBefore = 4,
        Colour? MaybeColourBefore = Colour.Green,
        string? NothingBefore = null);

    internal sealed class Setters
    {
        public static string? OfTheType { get; set; }

        public string Text { get; set; } = "";

        public int Count { get; set; }

        [DefaultValue(5)]
        public int Maybe { get; set; } = 5;

        [DefaultValue(true)]
        public bool Ready { get; set; } = true;

        [DefaultValue(Size.Large)]
        public Size Size { get; set; } = Size.Large;

        public string? Alone { get; set; }

        public required string? Demanded { get; set; }

        [Required]
        public string? Attributed { get; set; }

        public string InitOnly { get; init; } = "";

        public List<Colour> Colours { get; set; } = [];

        public string Computed => Text;

        public string ReadOnly { get; } = "";

        public string PrivatelySet { get; private set; } = "";

        [JsonIgnore]
        public string? Ignored { get; set; }

        [JsonExtensionData]
        public Dictionary<string, JsonElement>? More { get; set; }
    }

    internal sealed class ByAttributeOnly
    {
        [DefaultValue(5)]
        public int Count { get; set; }

        [DefaultValue(true)]
        public bool Ready { get; set; }

        [DefaultValue(Size.Large)]
        public Size Size { get; set; }

        public string? Note { get; set; }
    }

    internal sealed record AllOptional(string? Name = null, int Guests = 2);

    internal readonly record struct Struct(string Name, int Guests = 2);

    internal sealed class WithConstructor(string name, int guests = 2, string? note = null)
    {
        public string Name { get; } = name;

        public int Guests { get; } = guests;

        public string? Note { get; } = note;
    }

    internal sealed record OtherNames([property: JsonPropertyName("the-name")] string Name, int? Guests);

    internal sealed class WithIgnored
    {
        public string Name { get; set; } = "";

        [JsonIgnore]
        public string Hidden { get; set; } = "";
    }

    internal sealed record WithIgnoredParameter(string Name, [property: JsonIgnore] string Hidden = "hidden");

    internal class Base
    {
        public string Name { get; set; } = "";

        public int? Guests { get; set; }
    }

    internal sealed class Derived : Base
    {
        public string More { get; set; } = "";
    }

    internal sealed record MaybeChoices(List<Seat?> Seats, IReadOnlyList<Colour?> Colours);

    internal sealed record ConvertedMember([property: JsonConverter(typeof(JsonStringEnumConverter<Seat>))] Seat Seat);

    internal sealed record ByAttribute(Spelt Spelt = Spelt.Two);

    internal sealed record OnlyColour(Colour Colour);

    internal sealed record Trip(
        string Name,
        [Range(1, 6)] int Guests,
        DateOnly FirstNight,
        Seat Seat = Seat.Aisle,
        decimal Price = 1.5m,
        string? Note = null,
        IReadOnlyList<Colour>? Extras = null,
        int? Nights = null)
    {
        public string Name { get; } = Name == "nobody" ? throw new ArgumentException("Nobody cannot travel.") : Name;
    }

    /// <summary>What no form can ask for.</summary>
    internal static class Bad
    {
        [JsonDerivedType(typeof(Circle), "circle")]
        internal record Shape(string Name);

        internal sealed record Circle(string Name) : Shape(Name);

        internal sealed record Above([property: Range(0, 10, MinimumIsExclusive = true)] int Count);

        internal sealed class WrongDefault
        {
            [DefaultValue("2.5")]
            public string Text { get; set; } = "";

            [DefaultValue(300)]
            public byte Small { get; set; }
        }

        internal sealed record SameNames(Twins Twin);

        internal enum Twins
        {
            [Display(Name = "Twin")]
            First,

            [Display(Name = "Twin")]
            Second,
        }

        internal sealed record Nested(OnlyColour Inner);

        internal sealed record MaybeNested(string Name, OnlyColour? Inner);

        internal sealed record Recursive(string Name, Recursive? Next);

        internal sealed record StructMember(Struct Inner);

        internal sealed record Map(Dictionary<string, string> Values);

        internal sealed record Texts(List<string> Names);

        internal sealed record Numbers(int[] Values);

        internal sealed record Objects(List<OnlyColour> Inner);

        internal sealed record FlagsList(List<Rights> Rights);

        internal sealed record Id(Guid Value);

        internal sealed record MaybeId(Guid? Value);

        internal sealed record Clock(TimeOnly Time);

        internal sealed record Duration(TimeSpan Length);

        internal sealed record Versioned(Version Version);

        internal sealed record Bytes(byte[] Data);

        internal sealed record MoreBytes(ReadOnlyMemory<byte> Data);

        internal sealed record Anything(object Value);

        internal sealed record AnyJson(JsonElement Value);

        internal sealed record AnyNode(JsonNode Value);

        internal sealed record OwnConverter([property: JsonConverter(typeof(UpperConverter))] string Value);

        internal sealed record FlagsMember(Rights Rights);

        internal sealed record MaybeFlags(Rights? Rights);

        internal sealed record NumericEnum([property: JsonConverter(typeof(JsonNumberEnumConverter<Colour>))] Colour Colour);

        internal sealed record Pattern([RegularExpression("[A-Z]+")] string Code);

        internal sealed record DateRange([Range(typeof(DateOnly), "2026-01-01", "2026-12-31")] DateOnly Day);

        internal sealed record Forbidden([DeniedValues("root")] string Name);

        internal sealed record FewNumbers([AllowedValues(1, 2)] int Count);

        internal sealed record DefaultDate(string Name, DateTime Time = default);

        internal sealed record DefaultDay(string Name, DateOnly Day = default);

        internal sealed record Empty;

        internal sealed class Computed
        {
            public string Name => "computed";
        }

        internal sealed class Unmade
        {
            public Unmade(string name) => Name = name;

            public Unmade(int count) => Name = $"{count}";

            public string Name { get; set; }
        }

        internal abstract class Abstract
        {
            public string Name { get; set; } = "";
        }

        internal sealed class UpperConverter : JsonConverter<string>
        {
            public override string? Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => reader.GetString();

            public override void Write(Utf8JsonWriter writer, string value, JsonSerializerOptions options) => writer.WriteStringValue(value.ToUpperInvariant());
        }
    }

    /// <summary>As the SDK serializes: members in camel case, enums as texts.</summary>
    [JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, UseStringEnumConverter = true)]
    [JsonSerializable(typeof(Everything))]
    [JsonSerializable(typeof(Flat))]
    [JsonSerializable(typeof(Setters))]
    [JsonSerializable(typeof(WithConstructor))]
    [JsonSerializable(typeof(OtherNames))]
    [JsonSerializable(typeof(WithIgnoredParameter))]
    [JsonSerializable(typeof(ByAttribute))]
    [JsonSerializable(typeof(Trip))]
    [JsonSerializable(typeof(Bad.DefaultDate), TypeInfoPropertyName = "DefaultDate")]
    [JsonSerializable(typeof(Bad.Nested), TypeInfoPropertyName = "Nested")]
    [JsonSerializable(typeof(Bad.Anything), TypeInfoPropertyName = "Anything")]
    [JsonSerializable(typeof(Bad.NumericEnum), TypeInfoPropertyName = "NumericEnum")]
    internal sealed partial class StringsContext : JsonSerializerContext;

    /// <summary>As a context serializes of itself: enums as numbers, unless they say otherwise.</summary>
    [JsonSerializable(typeof(ByAttribute))]
    [JsonSerializable(typeof(ConvertedMember))]
    internal sealed partial class NumbersContext : JsonSerializerContext;

    internal sealed class WithDefault
    {
        [DefaultValue(3)]
        public decimal Price { get; set; } = 3;
    }

    /// <summary>It knows no other type than the ones of the members.</summary>
    [JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
    [JsonSerializable(typeof(WithDefault))]
    internal sealed partial class DefaultsContext : JsonSerializerContext;
}
