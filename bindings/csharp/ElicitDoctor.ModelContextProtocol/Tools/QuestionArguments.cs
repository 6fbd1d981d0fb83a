using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using ModelContextProtocol.Protocol;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>Reads the arguments of <c>elicit_confirm</c> and <c>elicit_form</c>; the first that is wrong gives the error.</summary>
internal sealed class QuestionArguments(CallToolRequestParams? call)
{
    public const string TimeoutProperty = """
        "timeoutSeconds": {
          "type": "integer",
          "minimum": 60,
          "maximum": 3600,
          "description": "How long to wait for the answer, in seconds. 300 when absent, unless the server is set up otherwise."
        }
        """;

    private const int ShortestTimeout = 60;
    private const int LongestTimeout = 3600;

    /// <summary>What is wrong with the arguments; null if nothing was found so far.</summary>
    public string? Error { get; private set; }

    public string Message() => Text("message") ?? Fail<string>("message must be a text that says what to ask.") ?? "";

    public TimeSpan? Timeout() => Find("timeoutSeconds") is not { } seconds ? null
        : seconds.ValueKind == JsonValueKind.Number && seconds.TryGetDecimal(out var number)
                && number is >= ShortestTimeout and <= LongestTimeout && number == decimal.Truncate(number)
            ? TimeSpan.FromSeconds((double)number)
            : Fail<TimeSpan?>($"timeoutSeconds must be a whole number from {ShortestTimeout} to {LongestTimeout}, but the call has {ToolText.Shorten(seconds.GetRawText())}.");

    public string Label(string name, string initial)
    {
        if (Find("labels") is not { } labels)
        {
            return initial;
        }

        if (labels.ValueKind != JsonValueKind.Object)
        {
            return Fail<string>($"labels must be an object with the texts ok and cancel, but the call has {ToolText.Shorten(labels.GetRawText())}.") ?? initial;
        }

        if (!labels.TryGetProperty(name, out var label) || label.ValueKind == JsonValueKind.Null)
        {
            return initial;
        }

        return label.ValueKind == JsonValueKind.String && label.GetString() is var text && ConfirmForm.IsLabel(text)
            ? text!
            : Fail<string>($"labels.{name} must be a text of 1 to {ConfirmOptions.MaxLabelLength} characters that can be read, but the call has {ToolText.Shorten(label.GetRawText())}.") ?? initial;
    }

    public JsonElement Schema() => Find("schema") is { ValueKind: JsonValueKind.Object } schema
        ? schema
        : Fail<JsonElement>("""schema must be an object such as {"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}.""");

    private string? Text(string name) => Find(name) is { ValueKind: JsonValueKind.String } text ? text.GetString() : null;

    private JsonElement? Find(string name) =>
        call?.Arguments?.TryGetValue(name, out var argument) == true && argument.ValueKind != JsonValueKind.Null ? argument : null;

    [return: MaybeNull]
    private T Fail<T>(string error)
    {
        Error ??= error;
        return default;
    }
}
