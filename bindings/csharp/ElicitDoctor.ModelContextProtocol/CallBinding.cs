using System.Security.Claims;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What the state of a call belongs to: the tool, the arguments, and who called it.</summary>
internal static class CallBinding
{
    public static StateBinding Of(MessageContext context, string tool)
    {
        var arguments = ((JsonRpcRequest)context.JsonRpcMessage).Params?["arguments"];
        return new()
        {
            Tool = tool,
            Principal = PrincipalOf(context.User),
            Arguments = arguments is null ? default : Verbatim.ToUtf8(writer => Verbatim.Write(writer, arguments)),
        };
    }

    private static string PrincipalOf(ClaimsPrincipal? user) => user?.Identity is { IsAuthenticated: true } identity
        ? (user.FindFirst(ClaimTypes.NameIdentifier) ?? user.FindFirst("sub"))?.Value ?? identity.Name ?? ""
        : "";
}
