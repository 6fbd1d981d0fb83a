using System.Globalization;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Serialization.Metadata;
using System.Text.RegularExpressions;
using Microsoft.Extensions.DependencyInjection;
using ModelContextProtocol;
using ModelContextProtocol.Protocol;
using ModelContextProtocol.Server;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>From a type to the form that asks for it, and from the answer to the type.</summary>
public sealed partial class FormSchemaTests
{
    private const string SeatChoices = """[{"const":"Window","title":"Window seat"},{"const":"Aisle","title":"By the aisle"},{"const":"Middle","title":"Middle"}]""";
    private const string LegacySeats = "\"enum\":[\"Window\",\"Aisle\",\"Middle\"],\"enumNames\":[\"Window seat\",\"By the aisle\",\"Middle\"]";

    public static TheoryData<string, string, string?> Fields => new()
    {
        // member; its field from 2025-11-25 on, and before where it differs
        { nameof(Everything.Text), """{"type":"string"}""", null },
        { nameof(Everything.Described), """{"type":"string","description":"As in the passport."}""", null },
        { nameof(Everything.Called), """{"type":"string","title":"Family name"}""", null },
        { nameof(Everything.Shown), """{"type":"string","title":"First name","description":"As people call you."}""", null },
        { nameof(Everything.Short), """{"type":"string","minLength":2,"maxLength":10}""", null },
        { nameof(Everything.Long), """{"type":"string","minLength":3}""", null },
        { nameof(Everything.Mail), """{"type":"string","format":"email"}""", null },
        { nameof(Everything.Web), """{"type":"string","format":"uri"}""", null },
        { nameof(Everything.Letter), """{"type":"string","minLength":1,"maxLength":1}""", null },
        { nameof(Everything.OneOfTwo), """{"type":"string","enum":["a","b"]}""", null },
        { nameof(Everything.Day), """{"type":"string","format":"date"}""", null },
        { nameof(Everything.Time), """{"type":"string","format":"date-time"}""", null },
        { nameof(Everything.Moment), """{"type":"string","format":"date-time"}""", null },
        { nameof(Everything.Page), """{"type":"string","format":"uri"}""", null },
        { nameof(Everything.Yes), """{"type":"boolean"}""", null },
        { nameof(Everything.Int), """{"type":"integer"}""", null },
        { nameof(Everything.Stars), """{"type":"integer","minimum":1,"maximum":5}""", null },
        { nameof(Everything.Byte), """{"type":"integer","minimum":0,"maximum":255}""", null },
        { nameof(Everything.SByte), """{"type":"integer","minimum":-128,"maximum":127}""", null },
        { nameof(Everything.Short16), """{"type":"integer","minimum":-32768,"maximum":32767}""", null },
        { nameof(Everything.UShort), """{"type":"integer","minimum":0,"maximum":65535}""", null },
        { nameof(Everything.ULong), """{"type":"integer","minimum":0}""", null },
        { nameof(Everything.SmallByte), """{"type":"integer","minimum":0,"maximum":9}""", null },
        { nameof(Everything.Double), """{"type":"number","minimum":0.5,"maximum":1.5}""", null },
        { nameof(Everything.Price), """{"type":"number"}""", null },
        { nameof(Everything.RangedPrice), """{"type":"number","minimum":0.01,"maximum":99.99}""", null },
        { nameof(Everything.Seat), $$"""{"type":"string","oneOf":{{SeatChoices}}}""", $$"""{"type":"string",{{LegacySeats}}}""" },
        {
            nameof(Everything.DescribedSeat),
            $$"""{"type":"string","description":"Where to sit.","oneOf":{{SeatChoices}}}""",
            $$"""{"type":"string","description":"Where to sit.",{{LegacySeats}}}"""
        },
        { nameof(Everything.Colour), """{"type":"string","enum":["Red","Green"]}""", null },
        { nameof(Everything.Size), """{"type":"string","enum":["s","xl"]}""", null },
        {
            nameof(Everything.Meal),
            """{"type":"string","oneOf":[{"const":"any","title":"any"},{"const":"no-meat","title":"Vegetarian"}]}""",
            """{"type":"string","enum":["any","no-meat"],"enumNames":["any","Vegetarian"]}"""
        },
        { nameof(Everything.Colours), """{"type":"array","items":{"type":"string","enum":["Red","Green"]}}""", null },
        { nameof(Everything.Seats), $$"""{"type":"array","items":{"anyOf":{{SeatChoices}}},"minItems":1,"maxItems":2}""", null },
        { nameof(Everything.ColourSet), """{"type":"array","items":{"type":"string","enum":["Red","Green"]},"minItems":1,"maxItems":2}""", null },
        { nameof(Everything.MaybeColours), """{"type":"array","items":{"type":"string","enum":["Red","Green"]}}""", null },
        { nameof(Everything.MaybeText), """{"type":"string"}""", null },
        { nameof(Everything.MaybeInt), """{"type":"integer"}""", null },
        { nameof(Everything.MaybeYes), """{"type":"boolean"}""", null },
        { nameof(Everything.MaybeDay), """{"type":"string","format":"date"}""", null },
        { nameof(Everything.MaybePage), """{"type":"string","format":"uri"}""", null },
        { nameof(Everything.MaybeColour), """{"type":"string","enum":["Red","Green"]}""", null },
        { nameof(Everything.MaybeSeat), $$"""{"type":"string","oneOf":{{SeatChoices}}}""", $$"""{"type":"string",{{LegacySeats}}}""" },
        { nameof(Everything.Renamed), """{"type":"string","title":"Renamed"}""", null },
        { nameof(Everything.TextBefore), """{"type":"string","default":"Ann"}""", """{"type":"string"}""" },
        { nameof(Everything.IntBefore), """{"type":"integer","default":2}""", """{"type":"integer"}""" },
        { nameof(Everything.DoubleBefore), """{"type":"number","default":1.5}""", """{"type":"number"}""" },
        { nameof(Everything.PriceBefore), """{"type":"number","default":9.5}""", """{"type":"number"}""" },
        { nameof(Everything.YesBefore), """{"type":"boolean","default":true}""", null },
        { nameof(Everything.ColourBefore), """{"type":"string","enum":["Red","Green"],"default":"Green"}""", """{"type":"string","enum":["Red","Green"]}""" },
        { nameof(Everything.SeatBefore), $$"""{"type":"string","oneOf":{{SeatChoices}},"default":"Aisle"}""", $$"""{"type":"string",{{LegacySeats}}}""" },
        { nameof(Everything.MaybeIntBefore), """{"type":"integer","default":4}""", """{"type":"integer"}""" },
        { nameof(Everything.MaybeColourBefore), """{"type":"string","enum":["Red","Green"],"default":"Green"}""", """{"type":"string","enum":["Red","Green"]}""" },
        { nameof(Everything.NothingBefore), """{"type":"string"}""", null },
    };

    [Theory]
    [MemberData(nameof(Fields))]
    public void A_member_becomes_a_field(string member, string modern, string? legacy)
    {
        var schema = SchemaOf<Everything>();
        var name = member == nameof(Everything.Renamed) ? "re-named" : JsonNamingPolicy.CamelCase.ConvertName(member);

        AssertSame(modern, schema.Modern["properties"]![name]);
        AssertSame(legacy ?? modern, schema.Legacy["properties"]![name]);
    }

    [Fact]
    public void Every_member_has_a_row_above()
    {
        Assert.Equal(typeof(Everything).GetProperties().Length, SchemaOf<Everything>().Modern["properties"]!.AsObject().Count);
        Assert.Equal(typeof(Everything).GetProperties().Length, Fields.Count);
    }

    public static TheoryData<Type, string[], string[]> Requirements => new()
    {
        // type, all fields, those that must be answered
        { typeof(Everything), [], [.. typeof(Everything).GetProperties().Select(NameOf).Where(name => !name.StartsWith("maybe") && !name.EndsWith("Before"))] },
        { typeof(Setters), ["text", "count", "maybe", "ready", "size", "alone", "demanded", "attributed", "initOnly", "colours"], ["text", "count", "demanded", "attributed", "initOnly", "colours"] },
        { typeof(AllOptional), ["name", "guests"], [] },
        { typeof(Struct), ["name", "guests"], ["name", "guests"] },
        { typeof(WithConstructor), ["name", "guests", "note"], ["name"] },
        { typeof(OtherNames), ["the-name", "guests"], ["the-name"] },
        { typeof(WithIgnored), ["name"], ["name"] },
        { typeof(WithIgnoredParameter), ["name"], ["name"] },
        { typeof(Derived), ["more", "name", "guests"], ["more", "name"] },
    };

    [Theory]
    [MemberData(nameof(Requirements))]
    public void What_can_be_set_is_a_field_and_what_has_no_default_and_no_null_must_be_answered(Type type, string[] fields, string[] required)
    {
        var schema = SchemaOf(type);

        foreach (var form in new[] { schema.Modern, schema.Legacy })
        {
            Assert.Equal("object", (string?)form["type"]);
            Assert.Equal(required, (form["required"]?.AsArray() ?? []).Select(name => (string)name!));
            Assert.Equal(required.Length > 0, form.ContainsKey("required"));
            if (fields.Length > 0)
            {
                Assert.Equal(fields.Order(), form["properties"]!.AsObject().Select(field => field.Key).Order());
            }
        }
    }

    [Theory]
    [InlineData("count", """{"type":"integer"}""", """{"type":"integer"}""")]
    [InlineData("maybe", """{"type":"integer","default":5}""", """{"type":"integer"}""")]
    [InlineData("ready", """{"type":"boolean","default":true}""", """{"type":"boolean","default":true}""")]
    [InlineData("size", """{"type":"string","enum":["s","xl"],"default":"xl"}""", """{"type":"string","enum":["s","xl"]}""")]
    public void A_setter_may_have_a_default_by_attribute(string name, string modern, string legacy)
    {
        var schema = SchemaOf<Setters>();

        AssertSame(modern, schema.Modern["properties"]![name]);
        AssertSame(legacy, schema.Legacy["properties"]![name]);
    }

    [Fact]
    public void A_default_by_attribute_is_one_of_the_members_type()
    {
        var price = (JsonObject)JsonNode.Parse(FormSchema.Of(DefaultsContext.Default.WithDefault).For(isModern: true))!["properties"]!["price"]!;

        Assert.Equal("3", price["default"]!.ToJsonString());
    }

    public static TheoryData<Type, string, string> Refusals => new()
    {
        // type, the member, the way out
        { typeof(Bad.Nested), "Nested.Inner", "move its members up, or ask for it in a question of its own" },
        { typeof(Bad.MaybeNested), "MaybeNested.Inner", "move its members up" },
        { typeof(Bad.Recursive), "Recursive.Next", "move its members up" },
        { typeof(Bad.StructMember), "StructMember.Inner", "move its members up" },
        { typeof(Bad.Map), "Map.Values", "move its members up" },
        { typeof(Bad.Texts), "Texts.Names", "make it a list of an enum, or one string, and split it" },
        { typeof(Bad.Numbers), "Numbers.Values", "make it a list of an enum" },
        { typeof(Bad.Objects), "Objects.Inner", "make it a list of an enum" },
        { typeof(Bad.FlagsList), "FlagsList.Rights", "make it a list of an enum" },
        { typeof(Bad.Id), "Id.Value", "make it a string, and parse it" },
        { typeof(Bad.MaybeId), "MaybeId.Value", "make it a string, and parse it" },
        { typeof(Bad.Clock), "Clock.Time", "make it a string, and parse it" },
        { typeof(Bad.Duration), "Duration.Length", "make it a number or a string" },
        { typeof(Bad.Versioned), "Versioned.Version", "make it a number or a string" },
        { typeof(Bad.Bytes), "Bytes.Data", "let a URL (TryElicitUrlAsync) take uploads" },
        { typeof(Bad.MoreBytes), "MoreBytes.Data", "let a URL (TryElicitUrlAsync) take uploads" },
        { typeof(Bad.Anything), "Anything.Value", "make it a string, a number, a boolean, a date, an enum or a list of an enum" },
        { typeof(Bad.AnyJson), "AnyJson.Value", "make it a string, a number, a boolean, a date, an enum or a list of an enum" },
        { typeof(Bad.AnyNode), "AnyNode.Value", "make it a string, a number, a boolean, a date, an enum or a list of an enum" },
        { typeof(Bad.OwnConverter), "OwnConverter.Value", "make it a string, a number, a boolean, a date, an enum or a list of an enum" },
        { typeof(Bad.FlagsMember), "FlagsMember.Rights", "make it a list of Rights without [Flags]" },
        { typeof(Bad.MaybeFlags), "MaybeFlags.Rights", "make it a list of Rights without [Flags]" },
        { typeof(Bad.NumericEnum), "NumericEnum.Colour", "[JsonConverter(typeof(JsonStringEnumConverter<Colour>))]" },
        { typeof(Bad.Pattern), "Pattern.Code", "describe it in [Description], and check the answer yourself" },
        { typeof(Bad.DateRange), "DateRange.Day", "describe it in [Description], and check the answer yourself" },
        { typeof(Bad.Forbidden), "Forbidden.Name", "describe it in [Description], and check the answer yourself" },
        { typeof(Bad.FewNumbers), "FewNumbers.Count", "describe it in [Description], and check the answer yourself" },
        { typeof(Bad.DefaultDate), "DefaultDate.Time", "make it nullable, with null as the default" },
        { typeof(Bad.DefaultDay), "DefaultDay.Day", "make it nullable, with null as the default" },
        { typeof(Bad.Shape), "Shape", "ask for one of them" },
        { typeof(Bad.Above), "Above.Count", "describe it in [Description], and check the answer yourself" },
        { typeof(Bad.WrongDefault), "WrongDefault.Small", "give it one of its own type" },
        { typeof(Bad.SameNames), "SameNames.Twin", "give each value of Twins a name of its own" },
        { typeof(Bad.Empty), "Empty", "give it one per field of the form, or use ConfirmAsync" },
        { typeof(Bad.Computed), "Computed", "give it one per field of the form, or use ConfirmAsync" },
        { typeof(Bad.Unmade), "Unmade", "[JsonConstructor]" },
        { typeof(Bad.Abstract), "Abstract", "[JsonConstructor]" },
        { typeof(string), "String", "make a record with one member per field of the form" },
        { typeof(int), "Int32", "make a record with one member per field of the form" },
        { typeof(bool?), "Nullable", "make a record with one member per field of the form" },
        { typeof(Colour), "Colour", "make a record with one member per field of the form" },
        { typeof(object), "Object", "make a record with one member per field of the form" },
        { typeof(string[]), "String[]", "make a record with one member per field of the form" },
        { typeof(Dictionary<string, string>), "Dictionary", "make a record with one member per field of the form" },
    };

    [Theory]
    [MemberData(nameof(Refusals))]
    public void What_no_form_can_ask_for_is_refused_by_name_with_a_way_out(Type type, string member, string wayOut)
    {
        var error = Assert.Throws<ElicitationRequestException>(() => SchemaOf(type));

        Assert.StartsWith($"{member} ", error.Message.Replace("`1 ", " ").Replace("`2 ", " "));
        Assert.Contains(wayOut, error.Message);
        Assert.EndsWith(".", error.Message);
        Assert.Empty(error.Findings);
    }

    [Fact]
    public void An_enum_that_is_a_number_by_the_options_is_refused_too()
    {
        var plain = new JsonSerializerOptions { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };

        var error = Assert.Throws<ElicitationRequestException>(() => FormSchema.Of(plain.GetTypeInfo(typeof(OnlyColour))));

        Assert.StartsWith("OnlyColour.Colour is an enum that is serialized as a number", error.Message);
    }

    [Fact]
    public void A_list_of_a_nullable_enum_has_no_null_among_its_choices() => AssertSame(
        """{"type":"object","properties":{"seats":{"type":"array","items":{"anyOf":[{"const":"Window","title":"Window seat"},{"const":"Aisle","title":"By the aisle"},{"const":"Middle","title":"Middle"}]}},"colours":{"type":"array","items":{"type":"string","enum":["Red","Green"]}}},"required":["seats","colours"]}""",
        SchemaOf<MaybeChoices>().Modern);

    [Fact]
    public void A_converter_on_the_member_alone_spells_the_choices()
    {
        var plain = new JsonSerializerOptions { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };

        AssertSame($$"""{"type":"string","oneOf":{{SeatChoices}}}""", SchemaOf(typeof(ConvertedMember), plain).Modern["properties"]!["Seat"]);
        AssertSame(
            $$"""{"type":"string","oneOf":{{SeatChoices}}}""", SchemaOf(typeof(ConvertedMember), NumbersContext.Default.Options).Modern["properties"]!["Seat"]);
    }

    [Theory]
    [InlineData(typeof(Everything))]
    [InlineData(typeof(Setters))]
    [InlineData(typeof(AllOptional))]
    [InlineData(typeof(Struct))]
    [InlineData(typeof(WithConstructor))]
    [InlineData(typeof(OtherNames))]
    [InlineData(typeof(WithIgnored))]
    [InlineData(typeof(WithIgnoredParameter))]
    [InlineData(typeof(Derived))]
    [InlineData(typeof(MaybeChoices))]
    public void The_check_of_a_request_finds_no_error_in_any_form(Type type)
    {
        var schema = SchemaOf(type);

        foreach (var (revision, form) in new[] { ("2025-11-25", schema.Modern), ("2025-06-18", schema.Legacy) })
        {
            using var report = Doctor.Report(
                $$$$$"""{"initialize":{"request":{"capabilities":{"elicitation":{"form":{}}}},"response":{"protocolVersion":"{{{{{revision}}}}}"}}}""");

            var findings = Doctor.CheckRequest(report, $$"""{"message":"What?","requestedSchema":{{form.ToJsonString()}}}""");

            // That lists of choices are too new for the older revision is all that is left to say.
            Assert.All(findings, finding => Assert.Equal(("2025-06-18", "request_property_too_new"), (revision, finding.Code)));
        }
    }

    [Theory]
    [InlineData(typeof(Everything))]
    [InlineData(typeof(Setters))]
    [InlineData(typeof(WithConstructor))]
    [InlineData(typeof(OtherNames))]
    [InlineData(typeof(WithIgnoredParameter))]
    [InlineData(typeof(ByAttribute))]
    public void A_source_generated_context_gives_the_same_form_as_reflection(Type type)
    {
        var (reflected, generated) = (SchemaOf(type), SchemaOf(type, StringsContext.Default.Options));

        Assert.Equal(reflected.Modern.ToJsonString(), generated.Modern.ToJsonString());
        Assert.Equal(reflected.Legacy.ToJsonString(), generated.Legacy.ToJsonString());
    }

    [Fact]
    public void A_source_generated_context_needs_no_setting_for_an_enum_that_says_how_it_is_spelt()
    {
        var form = SchemaOf(typeof(ByAttribute), NumbersContext.Default.Options).Modern;

        AssertSame("""{"type":"string","oneOf":[{"const":"One","title":"Number one"},{"const":"Two","title":"Two"}],"default":"Two"}""", form["properties"]!["Spelt"]);
    }

    [Theory]
    [InlineData(typeof(Bad.DefaultDate), "DefaultDate.Time")]
    [InlineData(typeof(Bad.Nested), "Nested.Inner")]
    [InlineData(typeof(Bad.Anything), "Anything.Value")]
    [InlineData(typeof(Bad.NumericEnum), "NumericEnum.Colour")]
    public void A_source_generated_context_refuses_what_reflection_does(Type type, string member)
    {
        var reflected = Assert.Throws<ElicitationRequestException>(() => SchemaOf(type));
        var generated = Assert.Throws<ElicitationRequestException>(() => SchemaOf(type, StringsContext.Default.Options));

        Assert.StartsWith($"{member} ", generated.Message);
        Assert.Equal(reflected.Message, generated.Message);
    }

    [Theory]
    [InlineData("2025-06-18", false)]
    [InlineData(Clients.InitializeEra, true)]
    [InlineData(Clients.PerRequestEra, true)]
    public async Task The_form_that_is_sent_is_the_one_of_the_hosts_revision(string revision, bool isModern)
    {
        await using var server = PipeServer.Start(builder => builder
            .WithTool("by_reflection", async (RequestContext<CallToolRequestParams> context) => (await context.TryElicitAsync<Flat>("What?")).Explain())
            .WithTool("generated", async (RequestContext<CallToolRequestParams> context) =>
                (await context.TryElicitAsync("What?", StringsContext.Default.Flat)).Explain())
            .WithTool("of_the_server", async (McpServer own) => (await own.TryElicitAsync("What?", StringsContext.Default.Flat)).Explain()));
        var host = await WireHost.ConnectAsync(server, revision, """{"elicitation":{"form":{}}}""");

        foreach (var tool in new[] { "by_reflection", "generated", "of_the_server" })
        {
            await host.CallAsync(tool, "{}", """{"action":"decline"}""");
        }

        var expected = SchemaOf<Flat>();
        Assert.Equal(3, host.Questions.Count);
        Assert.All(host.Questions, question =>
        {
            AssertSame((isModern ? expected.Modern : expected.Legacy).ToJsonString(), JsonNode.Parse(question.GetProperty("requestedSchema").GetRawText()));
            Assert.Equal(["message", "requestedSchema"], question.EnumerateObject().Select(member => member.Name));
        });
    }

    [Fact]
    public async Task A_type_that_a_context_does_not_know_is_an_error_that_names_the_overload()
    {
        ElicitationRequestException? thrown = null;
        await using var server = PipeServer.Start(builder => builder.WithTool(
            "unknown", async (RequestContext<CallToolRequestParams> context, CancellationToken cancellationToken) =>
            {
                var options = new ElicitOptions { SerializerOptions = NumbersContext.Default.Options };
                thrown = await Assert.ThrowsAsync<ElicitationRequestException>(() => context.TryElicitAsync<Derived>("What?", options, cancellationToken));
            }));
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, form: true, url: false));

        await client.CallToolAsync("unknown", cancellationToken: Clients.Cancellation);

        Assert.Contains("it is not known how Derived is serialized: use the overload with a JsonTypeInfo", thrown?.Message);
    }

    [Fact]
    public async Task The_options_of_the_question_spell_its_members()
    {
        await using var server = PipeServer.Start(builder => builder.WithTool("ask_upper", async (RequestContext<CallToolRequestParams> context) =>
        {
            var options = new ElicitOptions { SerializerOptions = new(McpJsonUtilities.DefaultOptions) { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseUpper } };
            return (await context.TryElicitAsync<AllOptional>("What?", options)).TryGetValue(out var answer) ? $"{answer.Name} {answer.Guests}" : "nothing";
        }));
        var host = await WireHost.ConnectAsync(server, Clients.InitializeEra, """{"elicitation":{"form":{}}}""");

        var result = await host.CallAsync("ask_upper", "{}", """{"action":"accept","content":{"NAME":"Ann","GUESTS":3}}""");

        Assert.Equal("Ann 3", WireClient.ToolText(result));
    }

    public static TheoryData<string, string> Answers => new()
    {
        // the content of the answer, what the tool got
        { """{"name":"Ann","guests":2,"firstNight":"2026-02-03"}""", "Ann, 2, 2026-02-03, Aisle, 1.5, nothing, no list" },
        { """{"name":"Ann","guests":2.0,"firstNight":"2026-02-03"}""", "Ann, 2, 2026-02-03, Aisle, 1.5, nothing, no list" },
        { """{"name":"Ann","guests":0.2e1,"firstNight":"2026-02-03"}""", "Ann, 2, 2026-02-03, Aisle, 1.5, nothing, no list" },
        {
            """{"name":"","guests":6,"firstNight":"2026-02-03","seat":"Window","price":2,"note":"late","extras":["Green","Red"]}""",
            ", 6, 2026-02-03, Window, 2, late, Green+Red"
        },
        { """{"name":"Ann","guests":1,"firstNight":"2026-02-03","extras":[],"more":{"x":1}}""", "Ann, 1, 2026-02-03, Aisle, 1.5, nothing, " },
        { """{"name":"Ann","guests":0,"firstNight":"2026-02-03"}""", "Failed: /content/guests: *" },
        { """{"name":"Ann","guests":7,"firstNight":"2026-02-03"}""", "Failed: /content/guests: *" },
        { """{"name":"Ann","guests":2.5,"firstNight":"2026-02-03"}""", "Failed: /content/guests: *" },
        { """{"name":"Ann","guests":"2","firstNight":"2026-02-03"}""", "Failed: /content/guests: *" },
        { """{"name":"Ann","guests":2,"firstNight":"3 February"}""", "Failed: /content/firstNight: *" },
        { """{"name":"Ann","guests":2,"firstNight":"2026-02-30"}""", "Failed: /content/firstNight: *" },
        { """{"name":"Ann","guests":2,"firstNight":"2026-02-03","seat":"Roof"}""", "Failed: /content/seat: *" },
        { """{"name":"Ann","guests":2,"firstNight":"2026-02-03","seat":"By the aisle"}""", "Failed: /content/seat: *" },
        { """{"name":"Ann","guests":2,"firstNight":"2026-02-03","extras":["Red","Blue"]}""", "Failed: /content/extras*" },
        { """{"name":"Ann","guests":2,"firstNight":"2026-02-03","note":null}""", "Failed: /content/note: *" },
        { """{"guests":2,"firstNight":"2026-02-03"}""", "Failed: *name*" },
        { "{}", "Failed: *" },
        { """{"name":"nobody","guests":2,"firstNight":"2026-02-03"}""", "Failed: The answer fits the form, but not Trip: Nobody cannot travel.*" },
        { """{"name":"Ann","guests":2,"firstNight":"2026-02-03","nights":3000000000}""", "Failed: The answer fits the form, but not Trip: *$.nights*" },
    };

    [Theory]
    [MemberData(nameof(Answers))]
    public async Task An_answer_becomes_the_type_or_says_why_not(string content, string expected)
    {
        static string Tell(ElicitationOutcome<Trip> outcome) => outcome switch
        {
            ElicitationOutcome<Trip>.Accepted(var trip) => string.Create(
                CultureInfo.InvariantCulture,
                $"{trip.Name}, {trip.Guests}, {trip.FirstNight:O}, {trip.Seat}, {trip.Price}, {trip.Note ?? "nothing"}, {(trip.Extras is null ? "no list" : string.Join('+', trip.Extras))}"),
            ElicitationOutcome<Trip>.Failed failed => $"Failed: {failed.Error}",
            _ => outcome.ToString(),
        };
        await using var initializeServer = PipeServer.Start(Configure);
        await using var perRequestServer = PipeServer.Start(Configure);
        var hosts = new[]
        {
            await WireHost.ConnectAsync(initializeServer, Clients.InitializeEra, """{"elicitation":{"form":{}}}"""),
            await WireHost.ConnectAsync(perRequestServer, Clients.PerRequestEra, """{"elicitation":{"form":{}}}"""),
        };

        foreach (var host in hosts)
        {
            foreach (var tool in new[] { "by_reflection", "generated" })
            {
                var text = WireClient.ToolText(await host.CallAsync(tool, "{}", $$"""{"action":"accept","content":{{content}}}"""));

                Assert.Matches($"^{string.Join(".*", expected.Split('*').Select(Regex.Escape))}$", text);
            }
        }

        static void Configure(IMcpServerBuilder builder) => builder
            .WithTool("by_reflection", async (RequestContext<CallToolRequestParams> context) => Tell(await context.TryElicitAsync<Trip>("Where to?")))
            .WithTool("generated", async (RequestContext<CallToolRequestParams> context) => Tell(await context.TryElicitAsync("Where to?", StringsContext.Default.Trip)));
    }

    [Theory]
    [InlineData("{}", "5 True Large ")]
    [InlineData("""{"count":1,"ready":false,"size":"s","note":"x"}""", "1 False Small x")]
    public async Task A_default_that_the_form_shows_is_the_value_of_a_member_that_was_left_out(string content, string expected)
    {
        await using var server = PipeServer.Start(builder => builder.WithTool("ask_defaults", async (RequestContext<CallToolRequestParams> context) =>
            (await context.TryElicitAsync<ByAttributeOnly>("What?")) is ElicitationOutcome<ByAttributeOnly>.Accepted(var answer)
                ? $"{answer.Count} {answer.Ready} {answer.Size} {answer.Note}"
                : "nothing"));
        var host = await WireHost.ConnectAsync(server, Clients.InitializeEra, """{"elicitation":{"form":{}}}""");

        var result = await host.CallAsync("ask_defaults", "{}", $$"""{"action":"accept","content":{{content}}}""");

        Assert.Equal(expected, WireClient.ToolText(result));
    }

    private static (JsonObject Modern, JsonObject Legacy) SchemaOf<T>() => SchemaOf(typeof(T));

    private static (JsonObject Modern, JsonObject Legacy) SchemaOf(Type type, JsonSerializerOptions? options = null)
    {
        var schema = FormSchema.Of((options ?? McpJsonUtilities.DefaultOptions).GetTypeInfo(type));
        return (JsonNode.Parse(schema.For(isModern: true))!.AsObject(), JsonNode.Parse(schema.For(isModern: false))!.AsObject());
    }

    private static string NameOf(PropertyInfo member) =>
        member.Name == nameof(Everything.Renamed) ? "re-named" : JsonNamingPolicy.CamelCase.ConvertName(member.Name);

    private static void AssertSame(string expected, JsonNode? actual) => Assert.True(
        JsonNode.DeepEquals(JsonNode.Parse(expected), actual), $"{Environment.NewLine}expected {expected}{Environment.NewLine}but it is {actual?.ToJsonString() ?? "nothing"}");
}
