using System.ComponentModel;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol;
using ModelContextProtocol.AspNetCore;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>What becomes of a question that a host cannot be asked, or that nobody may be asked.</summary>
public sealed class UnsupportedTests
{
    private const string Yes = """{"action":"accept","content":{"answer":"Yes"}}""";
    private const string NoElicitation = "The host tests 1 cannot be asked by a form. The client did not advertise elicitation.";

    public static TheoryData<string> Eras => new(Clients.InitializeEra, Clients.PerRequestEra);

    public static TheoryData<string, bool, bool, ElicitationMode, string?, string> Gaps => new()
    {
        // revision, what is declared: form, url; the mode that is missing, the declaration, why
        { Clients.InitializeEra, false, false, ElicitationMode.Form, null, "did not advertise elicitation" },
        { Clients.InitializeEra, false, false, ElicitationMode.Url, null, "did not advertise elicitation" },
        { Clients.InitializeEra, true, false, ElicitationMode.Url, """{"form":{}}""", "did not advertise URL mode" },
        { Clients.InitializeEra, false, true, ElicitationMode.Form, """{"url":{}}""", "did not advertise form mode" },
        { "2025-06-18", true, true, ElicitationMode.Url, """{"form":{},"url":{}}""", "did not advertise URL mode" },
        { "2025-03-26", true, true, ElicitationMode.Form, """{"form":{},"url":{}}""", "elicitation exists since 2025-06-18" },
        { Clients.PerRequestEra, false, false, ElicitationMode.Form, null, "did not advertise elicitation" },
        { Clients.PerRequestEra, true, false, ElicitationMode.Url, """{"form":{}}""", "did not advertise URL mode" },
        { Clients.PerRequestEra, false, true, ElicitationMode.Form, """{"url":{}}""", "did not advertise form mode" },
    };

    [Theory]
    [MemberData(nameof(Gaps))]
    public async Task The_exception_has_all_that_is_known_of_the_host(
        string revision, bool form, bool url, ElicitationMode mode, string? declared, string missing)
    {
        var thrown = new List<ElicitationUnsupportedException>();
        void Keep(Action ensure) => thrown.Add(Assert.Throws<ElicitationUnsupportedException>(ensure));
        await using var server = PipeServer.Start(builder => builder.WithTool("ensure", (RequestContext<CallToolRequestParams> context) =>
        {
            Keep(() => context.EnsureCanElicit(mode, "pass --yes"));
            Keep(() => context.Server.EnsureCanElicit(mode, "pass --yes"));
        }));
        await using var client = await server.ConnectAsync(Clients.Options(revision, form, url));

        await client.CallToolAsync("ensure", cancellationToken: Clients.Cancellation);

        Assert.Equal(2, thrown.Count);
        Assert.All(thrown, error =>
        {
            Assert.IsAssignableFrom<InvalidOperationException>(error);
            Assert.Equal(
                (mode, "tests", "1", revision, declared, "pass --yes"),
                (error.Gap.Mode, error.Gap.HostName, error.Gap.HostVersion, error.Gap.Revision, error.Gap.Declared, error.Workaround));
            Assert.Contains(missing, error.Gap.Missing);
            Assert.StartsWith(mode == ElicitationMode.Url ? "The host tests 1 cannot be asked to open a URL. " : "The host tests 1 cannot be asked by a form. ", error.Message);
            Assert.Contains(error.Gap.Missing, error.Message);
            Assert.Equal(declared is not null, error.Message.Contains($"It declared elicitation as {declared}.", StringComparison.Ordinal));
            Assert.EndsWith(" Instead: pass --yes.", error.Message);
        });
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task Nothing_is_thrown_where_the_host_can_be_asked(string revision)
    {
        await using var server = PipeServer.Start(builder => builder.WithTool("ensure", (RequestContext<CallToolRequestParams> context) =>
        {
            foreach (var mode in new[] { ElicitationMode.Form, ElicitationMode.Url })
            {
                context.EnsureCanElicit(mode);
                context.Server.EnsureCanElicit(mode);
            }

            return "passed";
        }));
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: true, url: true));

        Assert.Equal((false, "passed"), await client.CallAsync("ensure"));
    }

    [Theory]
    [InlineData(null, "advertise elicitation.")]
    [InlineData("", "advertise elicitation.")]
    [InlineData("pass --yes.", "advertise elicitation. Instead: pass --yes.")]
    public async Task A_workaround_is_named_where_there_is_one(string? workaround, string end)
    {
        await using var server = PipeServer.Start(builder => builder.WithTool(
            "ensure", (RequestContext<CallToolRequestParams> context) => context.EnsureCanElicit(ElicitationMode.Form, workaround)));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: false, url: false));

        Assert.EndsWith(end, (await client.CallAsync("ensure")).Text);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task The_host_of_a_tool_reads_the_text(string revision)
    {
        await using var server = PipeServer.Start(builder => builder
            .WithTool("by_request", (RequestContext<CallToolRequestParams> context) => context.EnsureCanElicit(ElicitationMode.Form))
            .WithTool("by_server", (McpServer own) => own.EnsureCanElicit(ElicitationMode.Form)));
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: false, url: false));

        Assert.Equal((true, NoElicitation), await client.CallAsync("by_request"));
        Assert.Equal((true, NoElicitation), await client.CallAsync("by_server"));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task The_host_of_a_prompt_and_of_a_resource_reads_the_text_in_a_json_rpc_error(string revision)
    {
        await using var server = PipeServer.Start(builder => builder
            .WithPrompt("prompt", (RequestContext<GetPromptRequestParams> context) =>
            {
                context.EnsureCanElicit(ElicitationMode.Form);
                return "";
            })
            .WithResource("test://resource", (RequestContext<ReadResourceRequestParams> context) =>
            {
                context.EnsureCanElicit(ElicitationMode.Form);
                return "";
            }));
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: false, url: false));

        var errors = new[]
        {
            await Assert.ThrowsAsync<McpProtocolException>(async () => await client.GetPromptAsync("prompt", cancellationToken: Clients.Cancellation)),
            await Assert.ThrowsAsync<McpProtocolException>(async () => await client.ReadResourceAsync("test://resource", cancellationToken: Clients.Cancellation)),
        };

        Assert.All(errors, error => Assert.Contains(NoElicitation, error.Message));
        Assert.All(errors, error => Assert.Equal(McpErrorCode.InternalError, error.ErrorCode));
    }

    [Fact]
    public async Task A_server_without_sessions_says_that_it_is_the_reason_and_not_what_the_host_declared()
    {
        await using var server = await HttpServer.StartAsync(HttpServerSessionMode.Stateless, builder => builder.WithTool(
            "ensure", (RequestContext<CallToolRequestParams> context) => context.EnsureCanElicit(ElicitationMode.Form)));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: true, url: false));

        var (isError, text) = await client.CallAsync("ensure");

        Assert.True(isError);
        Assert.Contains("StatefulForInitializeClients", text);
        Assert.DoesNotContain("declared no elicitation", text);
    }

    [Fact]
    public async Task A_server_without_sessions_names_the_call_that_can_ask_there()
    {
        await using var server = await HttpServer.StartAsync(HttpServerSessionMode.Stateless, builder => builder.WithTool(
            "ensure", (McpServer own) => own.EnsureCanElicit(ElicitationMode.Form)));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.PerRequestEra, form: true, url: false));

        var (isError, text) = await client.CallAsync("ensure");

        Assert.True(isError);
        Assert.Contains("TryElicitAsync", text);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task A_question_is_skipped_unless_the_policy_says_otherwise(string revision)
    {
        await using var server = PipeServer.Start(builder => builder.WithTool("delete", DeleteAsync));
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: false, url: false));

        Assert.Equal((false, $"{NoElicitation} Instead: say so."), await client.CallAsync("delete"));
    }

    public static TheoryData<string, UnsupportedPolicy, UnsupportedPolicy?, UnsupportedPolicy> Policies
    {
        get
        {
            var rows = new TheoryData<string, UnsupportedPolicy, UnsupportedPolicy?, UnsupportedPolicy>();
            foreach (var revision in new[] { Clients.InitializeEra, Clients.PerRequestEra })
            {
                foreach (var policy in Enum.GetValues<UnsupportedPolicy>())
                {
                    // for all tools, for this tool, what holds for this tool
                    rows.Add(revision, policy, null, policy);
                    rows.Add(revision, UnsupportedPolicy.Deny, policy, policy);
                    rows.Add(revision, UnsupportedPolicy.Skip, policy, policy);
                }
            }

            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(Policies))]
    public async Task The_policy_for_the_tool_holds(string revision, UnsupportedPolicy forAll, UnsupportedPolicy? forTool, UnsupportedPolicy expected)
    {
        await using var server = PipeServer.Start(builder => builder
            .WithElicitDoctor(options =>
            {
                options.OnUnsupported = forAll;
                options.OnUnsupportedByTool["another"] = UnsupportedPolicy.AskAgainWithArguments;
                if (forTool is { } own)
                {
                    options.OnUnsupportedByTool["delete"] = own;
                }
            })
            .WithTool("delete", DeleteAsync));
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: false, url: false));

        var (isError, text) = await client.CallAsync("delete");

        Assert.Equal(expected != UnsupportedPolicy.Skip, isError);
        Assert.StartsWith(NoElicitation, text);
        Assert.Equal(expected == UnsupportedPolicy.Skip, text.EndsWith("Instead: say so."));
        Assert.Equal(expected != UnsupportedPolicy.Skip, text.Contains("Instead: pass --yes."));
        Assert.Equal(expected == UnsupportedPolicy.AskAgainWithArguments, text.Contains("Ask the user yourself: Delete 3 files? Then call delete again"));
    }

    [Theory]
    [InlineData(Clients.InitializeEra, UnsupportedPolicy.Deny)]
    [InlineData(Clients.InitializeEra, UnsupportedPolicy.AskAgainWithArguments)]
    [InlineData(Clients.PerRequestEra, UnsupportedPolicy.Deny)]
    [InlineData(Clients.PerRequestEra, UnsupportedPolicy.AskAgainWithArguments)]
    public async Task A_call_that_is_denied_ends_whatever_its_code_catches(string revision, UnsupportedPolicy policy)
    {
        await using var server = PipeServer.Start(builder => builder
            .WithElicitDoctor(options => options.OnUnsupported = policy)
            .WithTool("swallow", async (RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken) =>
            {
                await Record.ExceptionAsync(() => context.ConfirmAsync("Delete 3 files?", cancellationToken));
                return "deleted";
            })
            .WithTool("wrap", async (RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken) =>
            {
                await Record.ExceptionAsync(() => context.ConfirmAsync("Delete 3 files?", cancellationToken));
                throw new NotSupportedException("something else");
            })
            .WithTool("swallow_by_server", async (McpServer own, CancellationToken cancellationToken) =>
            {
                await Record.ExceptionAsync(() => own.ConfirmAsync("Delete 3 files?", cancellationToken));
                return "deleted";
            }));
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: false, url: false));

        foreach (var tool in new[] { "swallow", "wrap", "swallow_by_server" })
        {
            var (isError, text) = await client.CallAsync(tool);

            Assert.True(isError, tool);
            Assert.StartsWith(NoElicitation, text);
        }
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task A_denied_question_of_a_prompt_and_of_a_resource_is_a_json_rpc_error(string revision)
    {
        await using var server = PipeServer.Start(builder => builder
            .WithElicitDoctor(options =>
            {
                options.OnUnsupported = UnsupportedPolicy.Deny;

                // These are tools of these names, and no prompts and resources.
                options.OnUnsupportedByTool["prompt"] = UnsupportedPolicy.Skip;
                options.OnUnsupportedByTool["test://resource"] = UnsupportedPolicy.Skip;
            })
            .WithPrompt("prompt", async (RequestContext<GetPromptRequestParams> context) => (await context.ConfirmAsync("Sure?")).Explain())
            .WithResource("test://resource", async (RequestContext<ReadResourceRequestParams> context) => (await context.ConfirmAsync("Sure?")).Explain()));
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: false, url: false));

        var prompt = await Assert.ThrowsAsync<McpProtocolException>(async () => await client.GetPromptAsync("prompt", cancellationToken: Clients.Cancellation));
        var resource = await Assert.ThrowsAsync<McpProtocolException>(async () => await client.ReadResourceAsync("test://resource", cancellationToken: Clients.Cancellation));

        Assert.Contains(NoElicitation, prompt.Message);
        Assert.Contains(NoElicitation, resource.Message);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task Asking_again_names_the_arguments_of_the_tool_that_answer_the_form(string revision)
    {
        await using var server = PipeServer.Start(builder => builder
            .WithElicitDoctor(options => options.OnUnsupported = UnsupportedPolicy.AskAgainWithArguments)
            .WithTool("book", (
                RequestContext<CallToolRequestParams> context,
                [Description("The day of the visit.")] string? day = null,
                [Description("How many come.")] int? guests = null,
                string? meal = null,
                [Description("Where the bill goes.")] string? account = null) => context.TryElicitAsync<Booking>("When do you come?")));
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: false, url: false));

        var (isError, text) = await client.CallAsync("book");

        Assert.True(isError);
        Assert.EndsWith(
            "Ask the user yourself: When do you come? Then call book again with `day` (The day of the visit.), `guests` (How many come.), `meal` (What they eat.) in its arguments.",
            text);
    }

    [Fact]
    public async Task Asking_again_names_no_argument_that_the_tool_does_not_have()
    {
        await using var server = PipeServer.Start(builder => builder
            .WithElicitDoctor(options => options.OnUnsupported = UnsupportedPolicy.AskAgainWithArguments)
            .WithTool("delete", (
                RequestContext<CallToolRequestParams> context,
                [Description("What to delete.")] string path,
                [Description("Whether the user agreed.")] bool confirmed = false) => context.ConfirmAsync($"Delete {path}?"))
            .WithTool("confirm", (RequestContext<CallToolRequestParams> context) => context.ConfirmAsync("Sure?"))
            .WithTool("visit", (RequestContext<CallToolRequestParams> context, string? token = null) => context.TryElicitUrlAsync("Sign in.", new("https://example.com/"))));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: false, url: false));

        var (_, withArguments) = await client.CallAsync("delete", new() { ["path"] = "a.txt" });
        var (_, withoutArguments) = await client.CallAsync("confirm");
        var (_, byUrl) = await client.CallAsync("visit");

        Assert.EndsWith("Then call delete again with `confirmed` (Whether the user agreed.) in its arguments.", withArguments);
        Assert.EndsWith("Then call confirm again with the answer in its arguments.", withoutArguments);
        Assert.EndsWith("Ask the user yourself: Sign in. Then call visit again with the answer in its arguments.", byUrl);
    }

    [Theory]
    [InlineData(Clients.InitializeEra, "{}")]
    [InlineData(Clients.InitializeEra, """{"elicitation":{"url":{}}}""")]
    [InlineData(Clients.PerRequestEra, "{}")]
    [InlineData(Clients.PerRequestEra, """{"elicitation":{"url":{}}}""")]
    public async Task An_override_asks_a_host_that_does_not_declare_what_it_does(string revision, string capabilities)
    {
        await using var server = StartWithOverride(new HostOverride("host") { Form = true });
        var host = await WireHost.ConnectAsync(server, revision, capabilities);

        Assert.Equal("yes", WireClient.ToolText(await host.CallAsync("can_elicit", """{"mode":"form"}""")));
        Assert.Equal("The user agreed.", WireClient.ToolText(await host.CallAsync("ask_user", "{}", Yes)));

        Assert.Single(host.Questions);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task An_override_does_not_ask_a_host_that_declares_what_it_does_not_do(string revision)
    {
        await using var server = StartWithOverride(new HostOverride("host") { Form = false });
        var host = await WireHost.ConnectAsync(server, revision, """{"elicitation":{"form":{},"url":{}}}""");

        Assert.Equal("no", WireClient.ToolText(await host.CallAsync("can_elicit", """{"mode":"form"}""")));
        Assert.Equal("yes", WireClient.ToolText(await host.CallAsync("can_elicit", """{"mode":"url"}""")));
        Assert.Equal(
            """The host host 1.2 cannot be asked by a form. This server is set up not to ask it, whatever it declares. It declared elicitation as {"form":{},"url":{}}.""",
            WireClient.ToolText(await host.CallAsync("ask_user")));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task An_override_of_both_modes_leaves_nothing_to_ask(string revision)
    {
        await using var server = StartWithOverride(new HostOverride("host") { Form = false, Url = false });
        var host = await WireHost.ConnectAsync(server, revision, """{"elicitation":{"form":{},"url":{}}}""");

        Assert.Equal("no", WireClient.ToolText(await host.CallAsync("can_elicit", """{"mode":"form"}""")));
        Assert.Equal("no", WireClient.ToolText(await host.CallAsync("can_elicit", """{"mode":"url"}""")));
        Assert.Equal("no", WireClient.ToolText(await host.CallAsync("server_can_elicit", """{"mode":"url"}""")));
    }

    [Theory]
    [InlineData("host", "1.2", true)]
    [InlineData("host", "2.0", false)]
    [InlineData("Host", "1.2", false)]
    [InlineData("another", "1.2", false)]
    [InlineData(null, null, false)]
    public async Task An_override_is_for_a_name_and_its_versions(string? name, string? version, bool fits)
    {
        await using var server = StartWithOverride(new HostOverride("host") { Form = true, Version = version => version?.StartsWith("1.") == true });
        var host = await WireHost.ConnectAsync(
            server, Clients.PerRequestEra, "{}", name is null ? null : $$"""{"name":"{{name}}","version":"{{version}}"}""");

        Assert.Equal(fits ? "yes" : "no", WireClient.ToolText(await host.CallAsync("can_elicit", """{"mode":"form"}""")));
    }

    [Fact]
    public async Task The_first_override_that_fits_counts()
    {
        await using var server = StartWithOverride(
            new("host") { Form = true, Version = version => version == "9" }, new("host") { Url = true }, new("host") { Form = true });
        var host = await WireHost.ConnectAsync(server, Clients.InitializeEra, "{}");

        Assert.Equal("no", WireClient.ToolText(await host.CallAsync("can_elicit", """{"mode":"form"}""")));
        Assert.Equal("yes", WireClient.ToolText(await host.CallAsync("can_elicit", """{"mode":"url"}""")));
    }

    [Theory]
    [InlineData("2025-06-18", "url")]
    [InlineData("2025-03-26", "form")]
    public async Task An_override_does_not_add_what_the_revision_does_not_have(string revision, string mode)
    {
        await using var server = StartWithOverride(new HostOverride("host") { Form = true, Url = true });
        var host = await WireHost.ConnectAsync(server, revision, "{}");

        Assert.Equal("no", WireClient.ToolText(await host.CallAsync("can_elicit", $$"""{"mode":"{{mode}}"}""")));
        Assert.Contains("cannot be asked", WireClient.ToolText(await host.CallAsync("ensure", $$"""{"mode":"{{mode}}"}""")));
    }

    [Theory]
    [InlineData(false, """{"elicitation":{}}""")]
    [InlineData(null, "{}")]
    public async Task An_override_of_urls_makes_no_forms_where_there_are_no_modes(bool? form, string capabilities)
    {
        await using var server = StartWithOverride(new HostOverride("host") { Form = form, Url = true });
        var host = await WireHost.ConnectAsync(server, "2025-06-18", capabilities);

        Assert.Equal("no", WireClient.ToolText(await host.CallAsync("can_elicit", """{"mode":"form"}""")));
    }

    [Theory]
    [InlineData(Clients.InitializeEra, "{}")]
    [InlineData(Clients.InitializeEra, """{"elicitation":{"form":{"x":1.50}},"more":[]}""")]
    [InlineData(Clients.PerRequestEra, """{"elicitation":{"form":{"x":1.50}},"more":{}}""")]
    public async Task The_report_says_what_was_declared_whatever_an_override_says(string revision, string capabilities)
    {
        await using var server = StartWithOverride(new HostOverride("host") { Form = false, Url = true });
        var host = await WireHost.ConnectAsync(server, revision, capabilities);

        Assert.Equal("yes", WireClient.ToolText(await host.CallAsync("can_elicit", """{"mode":"url"}""")));
        var report = WireClient.ToolText(await host.CallAsync("elicit_doctor"));

        TestSupport.ReportSchema.AssertValid(report);
        Assert.Contains(capabilities, report);
        var support = JsonElement.Parse(report).GetProperty("support");
        Assert.Equal(capabilities.Contains("form"), support.GetProperty("elicitationForm").GetBoolean());
        Assert.False(support.GetProperty("elicitationUrl").GetBoolean());
    }

    [Fact]
    public async Task Where_only_an_override_says_that_the_host_can_ElicitAsync_is_said_not_to()
    {
        await using var server = StartWithOverride(new HostOverride("host") { Form = true });
        var host = await WireHost.ConnectAsync(server, Clients.InitializeEra, "{}");

        Assert.Equal("no", WireClient.ToolText(await host.CallAsync("server_can_elicit", """{"mode":"form"}""")));
        Assert.Contains("TryElicitAsync can ask", WireClient.ToolText(await host.CallAsync("server_ensure", """{"mode":"form"}""")));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData(" ")]
    public void An_override_has_a_name(string? name) => Assert.ThrowsAny<ArgumentException>(() => new HostOverride(name!));

    [Fact]
    public void A_policy_that_does_not_exist_is_refused() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new ElicitDoctorOptions { OnUnsupported = (UnsupportedPolicy)9 });

    public static TheoryData<string, bool, bool, bool, string[]> Lists
    {
        get
        {
            var rows = new TheoryData<string, bool, bool, bool, string[]>();
            foreach (var revision in new[] { Clients.InitializeEra, Clients.PerRequestEra })
            {
                // whether tools are hidden, the modes that are declared: form, url; the tools that are left
                rows.Add(revision, false, false, false, ["needs_form", "needs_nothing", "needs_url"]);
                rows.Add(revision, true, false, false, ["needs_nothing"]);
                rows.Add(revision, true, true, false, ["needs_form", "needs_nothing"]);
                rows.Add(revision, true, false, true, ["needs_nothing", "needs_url"]);
                rows.Add(revision, true, true, true, ["needs_form", "needs_nothing", "needs_url"]);
            }

            // Modes came later; what this client can is a form.
            rows.Add("2025-06-18", true, true, true, ["needs_form", "needs_nothing"]);
            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(Lists))]
    public async Task Tools_that_the_host_cannot_use_are_hidden_where_the_server_wants_it(string revision, bool hide, bool form, bool url, string[] left)
    {
        await using var server = StartWithHidden(hide);
        await using var client = await server.ConnectAsync(Clients.Options(revision, form, url));

        var names = await client.ToolNamesAsync();
        Assert.Equal(left, names.Where(name => name.StartsWith("needs_")));
        Assert.Equal(left.Contains("needs_form"), names.Contains("elicit_confirm"));
        Assert.Contains("elicit_doctor", names);
    }

    [Fact]
    public async Task Tools_are_hidden_by_what_an_override_says()
    {
        await using var server = StartWithHidden(hide: true, new HostOverride("tests") { Form = false, Url = true });
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: true, url: false));

        Assert.Equal(["needs_nothing", "needs_url"], (await client.ToolNamesAsync()).Where(name => name.StartsWith("needs_")));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task A_hidden_tool_can_be_called(string revision)
    {
        await using var server = StartWithHidden(hide: true);
        await using var client = await server.ConnectAsync(Clients.Options(revision, form: false, url: false));

        Assert.DoesNotContain("needs_form", await client.ToolNamesAsync());
        Assert.Equal((false, "ran"), await client.CallAsync("needs_form"));
    }

    public static TheoryData<string, string> BadQuestions
    {
        get
        {
            var rows = new TheoryData<string, string>();
            foreach (var tool in BadTools.Keys)
            {
                rows.Add(Clients.InitializeEra, tool);
                rows.Add(Clients.PerRequestEra, tool);
            }

            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(BadQuestions))]
    public async Task A_question_that_nobody_may_be_asked_is_a_readable_error_and_is_not_sent(string revision, string tool)
    {
        var asked = 0;
        await using var server = PipeServer.Start(builder => builder.WithTool(tool, BadTools[tool].Ask));
        await using var client = await server.ConnectAsync(Clients.Options(revision, (_, _) =>
        {
            asked++;
            return Task.FromResult(new ElicitResult());
        }));

        var (isError, text) = await client.CallAsync(tool);

        Assert.Equal((true, 0), (isError, asked));
        Assert.Contains(BadTools[tool].Reason, text);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task Two_questions_under_one_key_are_a_readable_error(string revision)
    {
        var asked = new List<string>();
        await using var server = PipeServer.Start(builder => builder.WithTool("ask_two", async (RequestContext<CallToolRequestParams> context) =>
        {
            var options = new ConfirmOptions { Key = "sure" };
            await context.ConfirmAsync("Sure?", options);
            return (await context.ConfirmAsync("Really?", options)).Explain();
        }));
        await using var client = await server.ConnectAsync(Clients.Options(revision, (question, _) =>
        {
            asked.Add(question.Message);
            return Task.FromResult(new ElicitResult { Action = "decline" });
        }));

        var (isError, text) = await client.CallAsync("ask_two");

        Assert.True(isError);
        Assert.Contains("The key \"sure\" stands for two questions of this call", text);
        Assert.Equal(["Sure?"], asked);
    }

    [Fact]
    public async Task A_question_that_nobody_may_be_asked_says_what_the_check_found()
    {
        ElicitationRequestException? thrown = null;
        await using var server = PipeServer.Start(builder => builder.WithTool("sign_in", async (RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken) =>
        {
            thrown = await Assert.ThrowsAsync<ElicitationRequestException>(() => context.TryElicitAsync<SignIn>("Who are you?", cancellationToken));
        }));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: true, url: false));

        await client.CallToolAsync("sign_in", cancellationToken: Clients.Cancellation);

        var finding = Assert.Single(thrown!.Findings);
        Assert.Equal(("request_secret", "/requestedSchema/properties/password", FindingSeverity.Error), (finding.Code, finding.Path, finding.Severity));
    }

    private static Dictionary<string, (Delegate Ask, string Reason)> BadTools => new()
    {
        ["password"] = ((RequestContext<CallToolRequestParams> context) => context.TryElicitAsync<SignIn>("Who are you?"), "/requestedSchema/properties/password: "),
        ["empty_message"] = ((RequestContext<CallToolRequestParams> context) => context.ConfirmAsync(" "), "/message: "),
        ["nested"] = ((RequestContext<CallToolRequestParams> context) => context.TryElicitAsync<Nested>("What?"), "Nested.Inner"),
        ["secret_in_url"] = (
            (RequestContext<CallToolRequestParams> context) => context.TryElicitUrlAsync("Sign in.", new Uri("https://example.com/?access_token=12345678")), "/url: "),
        ["raw"] = ((RequestContext<CallToolRequestParams> context) => context.TryElicitAsync(
            new ElicitRequestParams { Message = "What?", RequestedSchema = new() { Required = ["nothing"] } }), "/requestedSchema/"),
        ["equal_labels"] = (
            (RequestContext<CallToolRequestParams> context) => context.ConfirmAsync("Sure?", new ConfirmOptions { OkLabel = "No" }),
            "Both labels of the confirmation are \"No\"; a yes could not be told from a no."),
        ["no_label"] = ((RequestContext<CallToolRequestParams> context) => context.ConfirmAsync("Sure?", new ConfirmOptions { OkLabel = "" }), "OkLabel has 0 characters"),
        ["blank_label"] = (
            (RequestContext<CallToolRequestParams> context) => context.ConfirmAsync("Sure?", new ConfirmOptions { CancelLabel = " " }), "something that can be read"),
        ["long_label"] = (
            (RequestContext<CallToolRequestParams> context) => context.ConfirmAsync("Sure?", new ConfirmOptions { CancelLabel = new('n', 41) }),
            "CancelLabel has 41 characters; a label has 1 to 40"),
    };

    private static async Task<string> DeleteAsync(RequestContext<CallToolRequestParams> context) =>
        (await context.ConfirmAsync("Delete 3 files?", new ConfirmOptions { Workaround = "pass --yes" })).Explain("say so");

    private static PipeServer StartWithOverride(params HostOverride[] overrides) => PipeServer.Start(builder => builder
        .WithElicitDoctor(options =>
        {
            options.ShortestConfirmation = TimeSpan.Zero;
            Array.ForEach(overrides, options.HostOverrides.Add);
        })
        .WithTool("ask_user", async (RequestContext<CallToolRequestParams> context) => (await context.ConfirmAsync("Sure?")).Explain())
        .WithTool("ensure", (RequestContext<CallToolRequestParams> context, string mode) => context.EnsureCanElicit(Enum.Parse<ElicitationMode>(mode, ignoreCase: true)))
        .WithTool("server_ensure", (McpServer own, string mode) => own.EnsureCanElicit(Enum.Parse<ElicitationMode>(mode, ignoreCase: true))));

    private static PipeServer StartWithHidden(bool hide, params HostOverride[] overrides) => PipeServer.Start(builder => builder
        .WithElicitDoctor(options =>
        {
            options.HideToolsWithoutElicitation = hide;
            options.Tools = ElicitDoctorTools.All;
            Array.ForEach(overrides, options.HostOverrides.Add);
        })
        .WithTools<NeedyTools>());

    [McpServerToolType]
    private sealed class NeedyTools
    {
        [McpServerTool(Name = "needs_nothing")]
        public static string Nothing() => "ran";

        [McpServerTool(Name = "needs_form"), RequiresElicitation]
        public static string Form() => "ran";

        [McpServerTool(Name = "needs_url"), RequiresElicitation(ElicitationMode.Url)]
        public static string Url() => "ran";
    }

    private sealed record Booking(string Day, [Description("At most six.")] int Guests, [Description("What they eat.")] string? Meal);

    private sealed record SignIn(string User, string Password);

    private sealed record Nested(Booking Inner);
}
