using System.ComponentModel;
using System.Globalization;
using ElicitDoctor.ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace StdioServer;

/// <summary>A tool that asks for several things in one form, and tells what can come of it apart.</summary>
[McpServerToolType]
internal sealed class TableTools
{
    [McpServerTool(Name = "book_table"), Description("Books a table in the restaurant. Asks the user for the booking when none is given.")]
    public static async Task<string> BookTable(
        RequestContext<CallToolRequestParams> context,
        [Description("The booking, if the user has said all of it.")] Booking? booking = null,
        CancellationToken cancellationToken = default)
    {
        if (booking is not null)
        {
            return Book(booking);
        }

        var outcome = await context.TryElicitAsync("For which table shall I ask?", SampleJson.Default.Booking, cancellationToken);
        return outcome switch
        {
            ElicitationOutcome<Booking>.Accepted(var answer) => Book(answer),
            ElicitationOutcome<Booking>.Declined(AnsweredBy.Person) or ElicitationOutcome<Booking>.Cancelled(AnsweredBy.Person) =>
                "No table was booked: the user does not want to say more.",
            // Nobody saw the question, or the host garbled the answer: then the model can still find out in the chat.
            _ => $"No table was booked. {outcome.Explain(workaround: "ask the user in the chat, and call book_table with the booking")}",
        };
    }

    private static string Book(Booking booking) => booking switch
    {
        // A form was checked before it came here; an argument was not.
        { Guests: < 1 or > Booking.MostGuests } => $"No table was booked: it must be for 1 to {Booking.MostGuests} people.",
        _ => string.Create(
            CultureInfo.InvariantCulture,
            $"A table for {booking.Guests} on {booking.Day:dddd, d MMMM yyyy} ({Where(booking.Seating)}).{(booking.Note is { Length: > 0 } note ? $" The kitchen knows: {note}" : "")}"),
    };

    private static string Where(Seating seating) => seating switch
    {
        Seating.Terrace => "on the terrace",
        Seating.Bar => "at the bar",
        _ => "inside",
    };
}
