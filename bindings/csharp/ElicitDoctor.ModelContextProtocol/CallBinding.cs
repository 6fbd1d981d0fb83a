using System.Security.Claims;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;

namespace ElicitDoctor.ModelContextProtocol;

/// <summary>What the state of a call belongs to: the tool, the arguments, and who called it.</summary>
internal static class CallBinding
{
    private static readonly string[] SubjectClaims = [ClaimTypes.NameIdentifier, "sub", ClaimTypes.Name, "client_id", "azp"];

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

    // Equal subjects of two issuers are two principals; a client without a user is one by its own name, or by all that is said of it.
    private static string PrincipalOf(ClaimsPrincipal? user)
    {
        if (user?.Identity is not { IsAuthenticated: true })
        {
            return "";
        }

        var name = SubjectClaims.Select(user.FindFirst).FirstOrDefault(claim => claim is not null);
        return name is not null ? Text(name) : string.Join('\n', user.Claims.Select(Text).Order(StringComparer.Ordinal));
    }

    private static string Text(Claim claim) => $"{claim.Issuer} {claim.Type} {claim.Value}";
}
