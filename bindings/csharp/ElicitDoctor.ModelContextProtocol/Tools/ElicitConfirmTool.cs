using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>The tool <c>elicit_confirm</c>: lets the model ask the user for a yes or a no.</summary>
internal sealed class ElicitConfirmTool : McpServerTool
{
    public override Tool ProtocolTool { get; } = new()
    {
        Name = "elicit_confirm",
        Title = "Ask the user to confirm",
        Description = "Asks the user for a yes or a no in a dialog of the host. `confirmed` is true only if a person agreed, false if the user said no, and null if nobody decided: `reason` then says why (timeout, unsupported, dismissed, error). Only true is consent.",
        InputSchema = ToolText.Parse(System.Text.Encoding.UTF8.GetBytes($$"""
            {
              "type": "object",
              "properties": {
                "message": { "type": "string", "minLength": 1, "description": "What the user agrees to, such as: Delete 3 files?" },
                "labels": {
                  "type": "object",
                  "description": "What the two choices are called. Yes and No when absent.",
                  "properties": {
                    "ok": { "type": "string", "minLength": 1, "maxLength": 40, "description": "The choice that agrees." },
                    "cancel": { "type": "string", "minLength": 1, "maxLength": 40, "description": "The choice that refuses." }
                  }
                },
                {{QuestionArguments.TimeoutProperty}}
              },
              "required": ["message"]
            }
            """)),
        OutputSchema = ToolText.Parse("""
            {
              "type": "object",
              "properties": {
                "confirmed": { "type": ["boolean", "null"], "description": "true: a person agreed. false: the answer is no. null: nobody decided." },
                "reason": { "type": "string", "enum": ["timeout", "unsupported", "dismissed", "error"], "description": "Why nobody decided." },
                "detail": { "type": "string", "description": "What happened, for a person; absent if the user decided." },
                "answeredBy": { "type": "string", "enum": ["machine"], "description": "Present where the no came sooner than a person can give it." }
              },
              "required": ["confirmed"]
            }
            """u8),
        Annotations = new() { ReadOnlyHint = true, DestructiveHint = false, OpenWorldHint = false },
    };

    public override IReadOnlyList<object> Metadata { get; } = [new RequiresElicitationAttribute()];

    public override async ValueTask<CallToolResult> InvokeAsync(RequestContext<CallToolRequestParams> request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        var arguments = new QuestionArguments(request.Params);
        var message = arguments.Message();
        var initial = new ConfirmOptions();
        var options = new ConfirmOptions
        {
            OkLabel = arguments.Label("ok", initial.OkLabel),
            CancelLabel = arguments.Label("cancel", initial.CancelLabel),
            Timeout = arguments.Timeout(),
            AlwaysSkips = true,
        };
        if (arguments.Error is { } error)
        {
            return ToolText.Error(error);
        }

        var confirmation = await request.ConfirmAsync(message, options, cancellationToken).ConfigureAwait(false);
        var (confirmed, reason) = confirmation.Outcome.Match(
            accepted: isYes => ((bool?)isYes, (string?)null),
            declined: _ => (false, null),
            cancelled: _ => (null, "dismissed"),
            unsupported: _ => (null, "unsupported"),
            timedOut: _ => (null, "timeout"),
            failed: _ => (null, "error"));
        var byMachine = confirmation.Outcome is ElicitationOutcome<bool>.Declined { AnsweredBy: AnsweredBy.Machine }
            or ElicitationOutcome<bool>.Cancelled { AnsweredBy: AnsweredBy.Machine };
        return ToolText.Structured(writer =>
        {
            if (confirmed is { } decided)
            {
                writer.WriteBoolean("confirmed", decided);
            }
            else
            {
                writer.WriteNull("confirmed");
                writer.WriteString("reason", reason);
            }

            if (confirmed is null || byMachine)
            {
                writer.WriteString("detail", confirmation.Explain());
            }

            if (byMachine)
            {
                writer.WriteString("answeredBy", "machine");
            }
        });
    }
}
