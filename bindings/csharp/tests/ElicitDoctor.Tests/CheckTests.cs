using System.Text;
using Xunit;

namespace ElicitDoctor.Tests;

public class CheckTests
{
    private const int OneMebibyte = 1024 * 1024;

    private const string Form = """
        {"message":"A table for whom?","requestedSchema":{"type":"object","properties":{"name":{"type":"string","maxLength":2},"guests":{"type":"integer","minimum":1}},"required":["name"]}}
        """;

    private const string Page = """
        {"mode":"url","message":"Sign in","url":"https://example.org/sign-in","elicitationId":"1"}
        """;

    /// <summary>Handshake, parameters, and what is found: severity, code and place.</summary>
    public static TheoryData<string, string, string[]> Requests => new()
    {
        { Handshakes.FormAndUrl, Form, [] },
        { Handshakes.FormAndUrl, Page, [] },
        { Handshakes.FormAndUrl, $$"""{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{{Form}}}""", [] },
        { Handshakes.PerRequest, $$"""{"method":"elicitation/create","params":{{Form}}}""", [] },
        { Handshakes.PerRequest, Page, ["Error request_mode_undeclared /mode", "Error request_elicitation_id /elicitationId"] },
        { Handshakes.ElicitationIsTrue, Form, ["Error request_unsupported "] },
        { Handshakes.Nothing, Form, ["Error request_unsupported "] },
        {
            Handshakes.FormAndUrl,
            """{"message":"m","requestedSchema":{"type":"object","properties":{"password":{"type":"string"}}}}""",
            ["Error request_secret /requestedSchema/properties/password"]
        },
        { Handshakes.FormAndUrl, "{}", ["Error request_message ", "Error request_schema "] },
    };

    /// <summary>Answer to <see cref="Form"/>, and what is found.</summary>
    public static TheoryData<string, string[]> Answers => new()
    {
        { """{"action":"accept","content":{"name":"Jo","guests":2}}""", [] },
        { """{"action":"accept","content":{"name":"\ud834\udd1e\ud834\udd1e"}}""", [] },
        { """{"action":"decline"}""", [] },
        { """{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}""", [] },
        { """{"action":"accept","content":{"name":"Joe"}}""", ["Error answer_value /content/name"] },
        { """{"action":"accept","content":{"name":"Jo","guests":0}}""", ["Error answer_value /content/guests"] },
        { """{"action":"accept","content":{"guests":2}}""", ["Error answer_content /content"] },
        { """{"action":"accept"}""", ["Error answer_content "] },
        { """{"action":"approve"}""", ["Error answer_action /action"] },
        { """{"action":"decline","content":{}}""", ["Warning answer_surplus /content"] },
    };

    /// <summary>What there is nothing to check in, status, and what the message must name.</summary>
    public static TheoryData<string, byte[], ElicitStatus, string> NothingToCheck => new()
    {
        { "nothing", [], ElicitStatus.InvalidJson, "0" },
        { "not JSON", "{\"message\":nope}"u8.ToArray(), ElicitStatus.InvalidJson, "12" },
        { "not UTF-8", [(byte)'{', (byte)'"', 0xFF, (byte)'"', (byte)'}'], ElicitStatus.InvalidUtf8, "2" },
        { "an array", "[]"u8.ToArray(), ElicitStatus.WrongShape, "an object" },
        { "too large", [.. "{}"u8, .. Enumerable.Repeat((byte)' ', OneMebibyte)], ElicitStatus.TooLarge, "1048576" },
        { "too deep", [.. Enumerable.Repeat((byte)'[', 129), .. Enumerable.Repeat((byte)']', 129)], ElicitStatus.TooDeep, "128" },
    };

    [Theory]
    [MemberData(nameof(Requests))]
    public void A_request_is_checked_against_what_the_host_declared(string handshake, string request, string[] expected)
    {
        using DoctorReport report = Handshakes.Report(handshake);

        IReadOnlyList<Finding> fromString = Doctor.CheckRequest(report, request);
        IReadOnlyList<Finding> fromBytes = Doctor.CheckRequest(report, Encoding.UTF8.GetBytes(request));

        Assert.Equal(expected, fromString.Select(Summary));
        Assert.Equal(fromString, fromBytes);
        Assert.All(fromString, finding => Assert.NotEmpty(finding.Message));
    }

    [Theory]
    [MemberData(nameof(Answers))]
    public void An_answer_is_checked_against_what_was_asked(string answer, string[] expected)
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);

        IReadOnlyList<Finding> fromString = Doctor.CheckAnswer(report, Form, answer);
        IReadOnlyList<Finding> fromBytes = Doctor.CheckAnswer(report, Encoding.UTF8.GetBytes(Form), Encoding.UTF8.GetBytes(answer));

        Assert.Equal(expected, fromString.Select(Summary));
        Assert.Equal(fromString, fromBytes);
        Assert.All(fromString, finding => Assert.NotEmpty(finding.Message));
    }

    [Theory]
    [MemberData(nameof(NothingToCheck))]
    public void What_cannot_be_checked_is_refused_with_its_reason(string name, byte[] text, ElicitStatus status, string named)
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        byte[] form = Encoding.UTF8.GetBytes(Form);

        foreach (Action check in new Action[]
        {
            () => Doctor.CheckRequest(report, text),
            () => Doctor.CheckAnswer(report, text, "{}"u8),
            () => Doctor.CheckAnswer(report, form, text),
        })
        {
            var exception = Assert.Throws<ElicitDoctorException>(check);
            Assert.True(exception.Status == status, $"{name}: expected {status}, got {exception.Status}: {exception.Message}");
            Assert.Contains(named, exception.Message, StringComparison.Ordinal);
        }

        Assert.Empty(Doctor.CheckRequest(report, form));
    }

    [Fact]
    public void A_lone_surrogate_is_refused_with_its_index()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);

        var request = Assert.Throws<ElicitDoctorException>(() => Doctor.CheckRequest(report, "{\"\ud800\":1}"));
        var answer = Assert.Throws<ElicitDoctorException>(() => Doctor.CheckAnswer(report, Form, "\udc00"));

        Assert.Equal(ElicitStatus.InvalidUtf8, request.Status);
        Assert.Contains("index 2", request.Message, StringComparison.Ordinal);
        Assert.Equal(ElicitStatus.InvalidUtf8, answer.Status);
    }

    [Fact]
    public void Null_is_refused_before_the_library_sees_it()
    {
        using DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);

        Assert.Throws<ArgumentNullException>("report", () => Doctor.CheckRequest(null!, Form));
        Assert.Throws<ArgumentNullException>("report", () => Doctor.CheckRequest(null!, "{}"u8));
        Assert.Throws<ArgumentNullException>("report", () => Doctor.CheckAnswer(null!, Form, "{}"));
        Assert.Throws<ArgumentNullException>("report", () => Doctor.CheckAnswer(null!, "{}"u8, "{}"u8));
        Assert.Throws<ArgumentNullException>("paramsJson", () => Doctor.CheckRequest(report, (string)null!));
        Assert.Throws<ArgumentNullException>("paramsJson", () => Doctor.CheckAnswer(report, null!, "{}"));
        Assert.Throws<ArgumentNullException>("resultJson", () => Doctor.CheckAnswer(report, Form, null!));
    }

    [Fact]
    public void A_disposed_report_checks_nothing()
    {
        DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl);
        report.Dispose();

        Assert.Throws<ObjectDisposedException>(() => Doctor.CheckRequest(report, Form));
        Assert.Throws<ObjectDisposedException>(() => Doctor.CheckRequest(report, "{}"u8));
        Assert.Throws<ObjectDisposedException>(() => Doctor.CheckAnswer(report, Form, "{}"));
        Assert.Throws<ObjectDisposedException>(() => Doctor.CheckAnswer(report, "{}"u8, "{}"u8));
    }

    [Fact]
    public void Findings_outlive_the_report_and_cannot_be_changed()
    {
        IReadOnlyList<Finding> findings;
        using (DoctorReport report = Handshakes.Report(Handshakes.FormAndUrl))
        {
            findings = Doctor.CheckRequest(report, "{}");
        }

        Assert.Equal(["request_message", "request_schema"], findings.Select(finding => finding.Code));
        Assert.True(((ICollection<Finding>)findings).IsReadOnly);
        Assert.False(findings is Finding[]);
    }

    private static string Summary(Finding finding) => $"{finding.Severity} {finding.Code} {finding.Path}";
}
