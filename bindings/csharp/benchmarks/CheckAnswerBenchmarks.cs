using System.Text;
using BenchmarkDotNet.Attributes;

namespace ElicitDoctor.Benchmarks;

/// <summary>
/// Whether an answer is what a form asked for: by <see cref="Doctor"/>, and by the content's validation against the
/// requested schema. The others get the schema and the content by themselves, without the request and the result around
/// them.
/// </summary>
[MemoryDiagnoser]
public class CheckAnswerBenchmarks
{
    /// <summary>A field of every kind.</summary>
    internal const string Schema = """
        {"type":"object","properties":{"name":{"type":"string","title":"Your name","minLength":1,"maxLength":80},"email":{"type":"string","title":"E-mail","format":"email"},"guests":{"type":"integer","title":"Guests","minimum":1,"maximum":12},"budget":{"type":"number","minimum":0},"date":{"type":"string","format":"date"},"terrace":{"type":"boolean","default":false},"menu":{"type":"string","enum":["meat","fish","vegan"]},"allergies":{"type":"array","items":{"type":"string","enum":["nuts","milk","gluten"]},"maxItems":3}},"required":["name","email","guests","date"]}
        """;

    private const string Content = """
        {"name":"Zoë Example","email":"zoe@example.org","guests":4,"budget":120.5,"date":"2026-09-12","terrace":true,"menu":"fish","allergies":["nuts","milk"]}
        """;

    private const string BrokenContent = """
        {"name":"Zoë Example","email":"zoe@example.org","guests":14,"budget":120.5,"date":"2026-09-12","terrace":true,"menu":"fish","allergies":["nuts","milk"]}
        """;

    private static readonly byte[] Params = Encoding.UTF8.GetBytes(CheckRequestBenchmarks.Request);
    private static readonly byte[] Result = ResultWith(Content);

    private readonly DoctorReport _report = Doctor.Report(ReportBenchmarks.Handshake);
    private readonly SchemaValidators _validators = new(Schema);

    [Benchmark(Baseline = true)]
    public int CheckAnswer() => Doctor.CheckAnswer(_report, Params, Result).Count;

    [Benchmark]
    public bool AnswerByJsonSchemaNet() => _validators.JsonSchemaNet(Content);

    [Benchmark]
    public bool AnswerByNJsonSchema() => _validators.NJsonSchema(Content);

    [Benchmark]
    public bool AnswerByPreparedJsonSchemaNet() => _validators.PreparedJsonSchemaNet(Content);

    [Benchmark]
    public bool AnswerByPreparedNJsonSchema() => _validators.PreparedNJsonSchema(Content);

    /// <summary>A comparison of things that do not do the same would be none.</summary>
    internal static void ThrowUnlessAllAgree()
    {
        var benchmarks = new CheckAnswerBenchmarks();
        foreach ((string content, bool isValid) in new[] { (Content, true), (BrokenContent, false) })
        {
            bool[] verdicts =
            [
                Doctor.CheckAnswer(benchmarks._report, Params, ResultWith(content)) is [],
                .. benchmarks._validators.All(content),
            ];
            if (verdicts.Any(verdict => verdict != isValid))
            {
                throw new InvalidOperationException($"{string.Join(", ", verdicts)} instead of {isValid} for {content}");
            }
        }
    }

    private static byte[] ResultWith(string content) => Encoding.UTF8.GetBytes($$"""{"action":"accept","content":{{content}}}""");
}
