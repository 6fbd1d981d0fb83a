using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>Tools, prompts and resources that a test writes down where it uses them.</summary>
internal static class InlineTools
{
    public static IMcpServerBuilder WithTool(this IMcpServerBuilder builder, string name, Delegate body)
    {
        builder.Services.AddSingleton(McpServerTool.Create(body, new() { Name = name }));
        return builder;
    }

    public static IMcpServerBuilder WithPrompt(this IMcpServerBuilder builder, string name, Delegate body)
    {
        builder.Services.AddSingleton(McpServerPrompt.Create(body, new() { Name = name }));
        return builder;
    }

    public static IMcpServerBuilder WithResource(this IMcpServerBuilder builder, string uri, Delegate body)
    {
        builder.Services.AddSingleton(McpServerResource.Create(body, new() { Name = "resource", UriTemplate = uri }));
        return builder;
    }

    /// <summary>What a tool answered, and whether as an error.</summary>
    public static async Task<(bool IsError, string Text)> CallAsync(this McpClient client, string tool, Dictionary<string, object?>? arguments = null)
    {
        var result = await client.CallToolAsync(tool, arguments, cancellationToken: Clients.Cancellation);
        return (result.IsError == true, Assert.IsType<TextContentBlock>(Assert.Single(result.Content)).Text);
    }

    public static async Task<string[]> ToolNamesAsync(this McpClient client) =>
        [.. (await client.ListToolsAsync(cancellationToken: Clients.Cancellation)).Select(tool => tool.Name).Order()];
}
