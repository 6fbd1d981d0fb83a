using System.Text.Json;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>The form of a yes or a no.</summary>
/// <remarks>
/// A choice of two labels without a default, and not a boolean: that one hosts fill in by themselves, or draw as a box that is
/// ticked or not before anybody looked. The refusal is first, because hosts that fill in choices take the first.
/// </remarks>
internal static class ConfirmForm
{
    private const string Field = "answer";

    public static Question Ask(string message, ConfirmOptions options)
    {
        Check(nameof(ConfirmOptions.OkLabel), options.OkLabel);
        Check(nameof(ConfirmOptions.CancelLabel), options.CancelLabel);
        if (options.OkLabel == options.CancelLabel)
        {
            throw new ElicitationRequestException($"Both labels of the confirmation are \"{options.OkLabel}\"; a yes could not be told from a no.");
        }

        var schema = Verbatim.ToUtf8(writer =>
        {
            writer.WriteStartObject();
            writer.WriteString("type", "object");
            writer.WriteStartObject("properties");
            writer.WriteStartObject(Field);
            writer.WriteString("type", "string");
            writer.WriteString("title", "Answer");
            writer.WriteStartArray("enum");
            writer.WriteStringValue(options.CancelLabel);
            writer.WriteStringValue(options.OkLabel);
            writer.WriteEndArray();
            writer.WriteEndObject();
            writer.WriteEndObject();
            writer.WriteStartArray("required");
            writer.WriteStringValue(Field);
            writer.WriteEndArray();
            writer.WriteEndObject();
        });
        return Question.Form(message, JsonElement.Parse(schema), options);
    }

    /// <summary>Whether checked content has the label that means yes.</summary>
    public static bool IsYes(JsonElement content, ConfirmOptions options) => content.GetProperty(Field).ValueEquals(options.OkLabel);

    public static bool IsLabel(string? label) => !string.IsNullOrWhiteSpace(label) && label.Length <= ConfirmOptions.MaxLabelLength;

    private static void Check(string name, string label)
    {
        if (!IsLabel(label))
        {
            throw new ElicitationRequestException(
                $"{name} has {label?.Length ?? 0} characters; a label has 1 to {ConfirmOptions.MaxLabelLength}, and something that can be read.");
        }
    }
}
