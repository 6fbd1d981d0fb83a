using System.Text.Json;
using ModelContextProtocol;
using ModelContextProtocol.Client;
using ModelContextProtocol.Protocol;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>The sample server in a process of its own.</summary>
public sealed class StdioServerTests
{
    public static TheoryData<string> Eras => [Clients.InitializeEra, Clients.PerRequestEra];

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task It_asks_where_the_trip_goes(string revision)
    {
        await using var client = await ConnectAsync(Answering(revision, _ => Accept("""{"destination":"Ghent"}""")));

        Assert.StartsWith("A day in Ghent: ", await client.CallTextAsync("plan_trip"));
        Assert.True((await client.CallDoctorAsync()).Supports("elicitationForm"));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task It_says_what_to_do_where_nobody_can_be_asked(string revision)
    {
        await using var client = await ConnectAsync(WithoutForms(revision));

        Assert.EndsWith(" Instead: call plan_trip with a destination.", await client.CallTextAsync("plan_trip"));
        Assert.StartsWith("A day in Ghent: ", await client.CallTextAsync("plan_trip", ("destination", "Ghent")));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task It_asks_for_a_table_in_one_form(string revision)
    {
        JsonElement? form = null;
        await using var client = await ConnectAsync(Answering(revision, question =>
        {
            form = JsonSerializer.SerializeToElement(question.RequestedSchema, McpJsonUtilities.DefaultOptions);
            return Accept("""{"day":"2026-12-24","guests":4,"seating":"Terrace","note":"a birthday"}""");
        }));

        Assert.Equal("A table for 4 on Thursday, 24 December 2026 (on the terrace). The kitchen knows: a birthday", await client.CallTextAsync("book_table"));
        AssertJson(
            """
            {
                "type": "object",
                "properties": {
                    "day": {"type": "string", "format": "date", "description": "The day of the visit."},
                    "guests": {"type": "integer", "minimum": 1, "maximum": 12, "description": "How many people come."},
                    "seating": {"type": "string", "oneOf": [
                        {"const": "Inside", "title": "Inside"},
                        {"const": "Terrace", "title": "On the terrace, if the weather allows it"},
                        {"const": "Bar", "title": "At the bar"}
                    ]},
                    "note": {"type": "string", "maxLength": 200, "description": "Allergies, a high chair, an occasion."}
                },
                "required": ["day", "guests", "seating"]
            }
            """,
            form!.Value);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task It_tells_the_outcomes_of_a_booking_apart(string revision)
    {
        var answer = new ElicitResult();
        await using var client = await ConnectAsync(Answering(revision, _ => answer));
        foreach (var (next, expected) in new[]
        {
            (Accept("""{"day":"2026-12-24","guests":2,"seating":"Bar"}"""), "A table for 2 on Thursday, 24 December 2026 (at the bar)."),
            (Accept("""{"day":"2026-12-24","guests":40,"seating":"Bar"}"""), "No table was booked. The question got no usable answer: "),
            (Accept("{}"), "No table was booked. The question got no usable answer: "),
            (new() { Action = "decline" }, "No table was booked. The host declined by itself, "),
            (new() { Action = "cancel" }, "No table was booked. The host dismissed the question by itself, "),
        })
        {
            answer = next;

            Assert.StartsWith(expected, await client.CallTextAsync("book_table"));
        }
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task It_takes_a_booking_from_the_model_where_nobody_can_be_asked(string revision)
    {
        await using var client = await ConnectAsync(WithoutForms(revision));

        Assert.EndsWith(" Instead: ask the user in the chat, and call book_table with the booking.", await client.CallTextAsync("book_table"));
        Assert.Equal("A table for 2 on Thursday, 24 December 2026 (inside).", await BookAsync(guests: 2));
        Assert.Equal("No table was booked: it must be for 1 to 12 people.", await BookAsync(guests: 40));

        Task<string> BookAsync(int guests) => client.CallTextAsync(
            "book_table", ("booking", JsonElement.Parse($$"""{"day":"2026-12-24","guests":{{guests}},"seating":"Inside"}""")));
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task It_deletes_files_when_a_person_agrees(string revision)
    {
        using var folder = new Folder("a.log", "b.log", "c.txt");
        var asked = new List<string>();
        await using var client = await ConnectAsync(
            Person(revision, question => asked.Add(question.Message), "Delete"), folder.Argument);

        Assert.Equal("Deleted 2 files.", await client.CallTextAsync("delete_files", ("pattern", "*.log")));
        Assert.Equal(["Delete 2 files for good? a.log, b.log"], asked);
        Assert.Equal(["c.txt"], folder.Files);
    }

    [Theory]
    [MemberData(nameof(Eras))]
    public async Task It_deletes_nothing_without_the_consent_of_a_person(string revision)
    {
        using var folder = new Folder("a.log");
        var answer = new ElicitResult();
        await using var answering = await ConnectAsync(Answering(revision, _ => answer), folder.Argument);
        await using var saying = await ConnectAsync(Person(revision, _ => { }, "Keep"), folder.Argument);
        await using var withoutForms = await ConnectAsync(WithoutForms(revision), folder.Argument);
        foreach (var (client, next, reason) in new[]
        {
            (answering, Accept("""{"answer":"Delete"}"""), "sooner than a person can"),
            (answering, Accept("{}"), "The question got no usable answer: "),
            (answering, new() { Action = "decline" }, "The host declined by itself, "),
            (saying, answer, "The user said no."),
            (withoutForms, answer, " Instead: the user can delete them without this server."),
        })
        {
            answer = next;

            var text = await client.CallTextAsync("delete_files", ("pattern", "*.log"));

            Assert.StartsWith("Nothing was deleted. ", text);
            Assert.Contains(reason, text);
            Assert.Equal(["a.log"], folder.Files);
        }
    }

    [Theory]
    [InlineData(Clients.InitializeEra, "b.log")]
    [InlineData(Clients.PerRequestEra)]
    public async Task It_deletes_only_what_the_user_was_asked_about(string revision, params string[] left)
    {
        using var folder = new Folder("a.log");
        var asked = new List<string>();
        await using var client = await ConnectAsync(
            Person(
                revision,
                question =>
                {
                    asked.Add(question.Message);
                    folder.Add("b.log");
                },
                "Delete"),
            folder.Argument);

        await client.CallTextAsync("delete_files", ("pattern", "*.log"));

        // On 2026-07-28 the tool has seen the new file when it ran again, and asked for it too.
        string[] expected = ["Delete 1 file for good? a.log", "Delete 2 files for good? a.log, b.log"];
        Assert.Equal(expected[..(2 - left.Length)], asked);
        Assert.Equal(left, folder.Files);
    }

    [Fact]
    public async Task It_deletes_nothing_outside_of_its_folder()
    {
        using var folder = new Folder("a.log", "below/b.log");
        await using var client = await ConnectAsync(Person(Clients.InitializeEra, _ => { }, "Delete"), folder.Argument);

        foreach (var pattern in new[] { "../*", @"..\*", "below/*", "/etc/*" })
        {
            Assert.StartsWith("Nothing was deleted: the pattern is for names in the scratch folder", await client.CallTextAsync("delete_files", ("pattern", pattern)));
        }

        Assert.Equal("Deleted 1 file.", await client.CallTextAsync("delete_files", ("pattern", "*")));
        Assert.Equal(["below/b.log"], folder.Files);
    }

    [Fact]
    public async Task It_deletes_nothing_that_is_only_linked_or_that_no_question_can_show()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "a name cannot have a line break there, and not every user may make a link");
        using var elsewhere = new Folder("a.log");
        using var folder = new Folder("b.log", "c.log? No,\nkeep it.log");
        Directory.CreateSymbolicLink(Path.Combine(folder.FullName, "link.log"), elsewhere.FullName);
        await using var client = await ConnectAsync(Person(Clients.InitializeEra, _ => { }, "Delete"), folder.Argument);

        Assert.Equal("Deleted 1 file.", await client.CallTextAsync("delete_files", ("pattern", "*.log")));

        Assert.Equal(["a.log"], elsewhere.Files);
        Assert.Equal(["c.log? No,\nkeep it.log", "link.log/a.log"], folder.Files);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(21)]
    public async Task It_asks_for_no_more_files_than_a_person_reads_and_not_for_none(int count)
    {
        using var folder = new Folder([.. Enumerable.Range(0, count).Select(number => $"{number}.log")]);
        await using var client = await ConnectAsync(Person(Clients.InitializeEra, _ => { }, "Delete"), folder.Argument);

        Assert.Equal($"Nothing was deleted: {count} files fit *.log, and it must be 1 to 20.", await client.CallTextAsync("delete_files", ("pattern", "*.log")));
        Assert.Equal(count, folder.Files.Length);
    }

    [Fact]
    public async Task It_deletes_nothing_unless_it_is_given_a_folder()
    {
        await using var client = await ConnectAsync(WithoutForms(Clients.InitializeEra));

        Assert.DoesNotContain(await client.ListToolsAsync(cancellationToken: Clients.Cancellation), tool => tool.Name == "delete_files");
    }

    [Fact]
    public async Task Its_standard_output_has_nothing_but_the_protocol()
    {
        using var process = SamplePrograms.Start(SamplePrograms.StdioServer);
        var error = process.StandardError.ReadToEndAsync(Clients.Cancellation);
        var client = new WireClient(process.StandardInput.BaseStream, process.StandardOutput.BaseStream);
        await client.RequestAsync("initialize", """{"protocolVersion":"2025-11-25","capabilities":{"elicitation":true},"clientInfo":{"name":"n","version":"1"}}""");
        await client.SendAsync("this is no JSON");
        await client.RequestReportAsync();
        process.StandardInput.Close();

        // WireClient has read what came so far, and would have failed at a line that is no JSON.
        Assert.Empty(await client.ReadToEndAsync());
        Assert.Contains("The client declared the capability elicitation as true", await error);
        await process.WaitForExitAsync(Clients.Cancellation);
        Assert.Equal(0, process.ExitCode);
    }

    [Theory]
    [InlineData("--ElicitDoctor:ProbeTimeoutSeconds=soon", "ElicitDoctor:ProbeTimeoutSeconds is \"soon\"; give a number of seconds, such as 40.")]
    [InlineData("--ElicitDoctor:ProbeTimeoutSeconds=0", "ElicitDoctor:ProbeTimeoutSeconds is \"0\"; give a number of seconds, such as 40.")]
    [InlineData("--ElicitDoctor:ProbeTimeoutSeconds=00:00:05", "ElicitDoctor:ProbeTimeoutSeconds is \"00:00:05\"; give a number of seconds, such as 40.")]
    [InlineData("--Files:Folder=no-such-folder", "Files:Folder is \"no-such-folder\"; give a folder that exists.")]
    public async Task A_setting_that_is_none_stops_it_with_a_word_on_what_to_give(string argument, string expected)
    {
        using var process = SamplePrograms.Start(SamplePrograms.StdioServer, argument);
        process.StandardInput.Close();

        Assert.Contains(expected, await process.StandardError.ReadToEndAsync(Clients.Cancellation));
        await process.WaitForExitAsync(Clients.Cancellation);
        Assert.NotEqual(0, process.ExitCode);
    }

    private static Task<McpClient> ConnectAsync(McpClientOptions options, params string[] arguments) => McpClient.CreateAsync(
        new StdioClientTransport(new()
        {
            Command = SamplePrograms.Dotnet,
            Arguments = [SamplePrograms.StdioServer, .. arguments],
            // Before 2.4.0 the client does not tell the server to end, and waits for it all the same.
            ShutdownTimeout = TimeSpan.FromMilliseconds(100),
        }),
        options,
        cancellationToken: Clients.Cancellation);

    private static McpClientOptions WithoutForms(string revision) => Clients.Options(revision, form: false, url: false);

    /// <summary>A host that answers at once.</summary>
    private static McpClientOptions Answering(string revision, Func<ElicitRequestParams, ElicitResult> answer) =>
        Clients.Options(revision, (question, _) => Task.FromResult(answer(question)));

    /// <summary>A host whose user takes the time that a consent needs.</summary>
    private static McpClientOptions Person(string revision, Action<ElicitRequestParams> see, string label) => Clients.Options(revision, async (question, cancellationToken) =>
    {
        see(question);
        await Task.Delay(2 * new ElicitDoctorOptions().ShortestConfirmation, cancellationToken);
        return Accept($$"""{"answer":"{{label}}"}""");
    });

    private static ElicitResult Accept(string content) => new()
    {
        Action = "accept",
        Content = JsonSerializer.Deserialize<Dictionary<string, JsonElement>>(content),
    };

    private static void AssertJson(string expected, JsonElement actual) =>
        Assert.True(JsonElement.DeepEquals(JsonElement.Parse(expected), actual), actual.GetRawText());

    /// <summary>A folder with these files, for the time of a test.</summary>
    private sealed class Folder : IDisposable
    {
        private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("elicit-doctor-");

        public Folder(params string[] files) => Array.ForEach(files, Add);

        public string FullName => _folder.FullName;

        public string Argument => $"--Files:Folder={FullName}";

        public string[] Files =>
        [
            .. _folder
                .EnumerateFiles("*", SearchOption.AllDirectories)
                .Select(file => Path.GetRelativePath(FullName, file.FullName).Replace('\\', '/'))
                .Order(StringComparer.Ordinal),
        ];

        public void Add(string file)
        {
            var path = Path.Combine(FullName, file);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, "");
        }

        public void Dispose() => _folder.Delete(recursive: true);
    }
}
