using System.Text.Json;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>The tool <c>elicit_form</c>: lets the model ask the user to fill in a form.</summary>
internal sealed class ElicitFormTool : McpServerTool
{
    public override Tool ProtocolTool { get; } = new()
    {
        Name = "elicit_form",
        Title = "Ask the user to fill in a form",
        Description = "Asks the user to fill in a form in a dialog of the host. `action` is accept (then `content` has the answers, checked against the schema), decline, cancel, timeout, unsupported or error. Never ask for passwords, keys, codes or payment data.",
        InputSchema = ToolText.Parse(System.Text.Encoding.UTF8.GetBytes($$"""
            {
              "type": "object",
              "properties": {
                "message": { "type": "string", "minLength": 1, "description": "What the user reads above the form." },
                "schema": {
                  "type": "object",
                  "description": "A flat JSON Schema: type object, properties of type string (with format email, uri, date or date-time), number, integer, boolean, or choices (enum; an array of an enum for several), and required."
                },
                {{QuestionArguments.TimeoutProperty}}
              },
              "required": ["message", "schema"]
            }
            """)),
        OutputSchema = ToolText.Parse("""
            {
              "type": "object",
              "properties": {
                "action": { "type": "string", "enum": ["accept", "decline", "cancel", "timeout", "unsupported", "error"] },
                "content": { "type": "object", "description": "The answers; present if the action is accept." },
                "detail": { "type": "string", "description": "What happened, for a person; absent if the user accepted or declined." },
                "answeredBy": { "type": "string", "enum": ["machine"], "description": "Present where the no came sooner than a person can give it." }
              },
              "required": ["action"]
            }
            """u8),
        Annotations = new() { ReadOnlyHint = true, DestructiveHint = false, OpenWorldHint = false },
    };

    public override IReadOnlyList<object> Metadata { get; } = [new RequiresElicitationAttribute()];

    public override async ValueTask<CallToolResult> InvokeAsync(RequestContext<CallToolRequestParams> request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        var arguments = new QuestionArguments(request.Params);
        var (message, schema) = (arguments.Message(), arguments.Schema());
        var options = new ElicitOptions { Timeout = arguments.Timeout(), AlwaysSkips = true };
        if (arguments.Error is { } error)
        {
            return ToolText.Error(error);
        }

        var outcome = await request.AskFormAsync(message, schema, options, cancellationToken).ConfigureAwait(false);
        var (action, answeredBy) = outcome.Match(
            accepted: _ => ("accept", AnsweredBy.Unknown),
            declined: declined => ("decline", declined.AnsweredBy),
            cancelled: cancelled => ("cancel", cancelled.AnsweredBy),
            unsupported: _ => ("unsupported", AnsweredBy.Unknown),
            timedOut: _ => ("timeout", AnsweredBy.Unknown),
            failed: _ => ("error", AnsweredBy.Unknown));
        return ToolText.Structured(writer =>
        {
            writer.WriteString("action", action);
            if (outcome.TryGetValue(out var content))
            {
                writer.WritePropertyName("content");
                content.WriteTo(writer);
            }
            else if (action != "decline" || answeredBy == AnsweredBy.Machine)
            {
                writer.WriteString("detail", outcome.Explain());
            }

            if (answeredBy == AnsweredBy.Machine)
            {
                writer.WriteString("answeredBy", "machine");
            }
        });
    }
}
