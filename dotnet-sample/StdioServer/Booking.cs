using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Text.Json.Serialization;

namespace StdioServer;

/// <summary>What has to be known to book a table: the form that the user fills in, and the argument of a model that knows it all.</summary>
internal sealed record Booking(
    [property: Description("The day of the visit.")] DateOnly Day,
    [property: Range(1, Booking.MostGuests), Description("How many people come.")] int Guests,
    Seating Seating,
    [property: StringLength(200), Description("Allergies, a high chair, an occasion.")] string? Note = null)
{
    public const int MostGuests = 12;
}

/// <summary>Where the guests sit.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<Seating>))]
internal enum Seating
{
    [Display(Name = "Inside")]
    Inside,

    [Display(Name = "On the terrace, if the weather allows it")]
    Terrace,

    [Display(Name = "At the bar")]
    Bar,
}
