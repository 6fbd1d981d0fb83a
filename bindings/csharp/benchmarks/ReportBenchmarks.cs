using System.Buffers;
using System.Text;
using System.Text.Json;
using BenchmarkDotNet.Attributes;

namespace ElicitDoctor.Benchmarks;

/// <summary>
/// From the bytes of a handshake to the bytes of its report: by the doctor, by <see cref="System.Text.Json.Nodes.JsonNode"/>,
/// and by hand with <see cref="Utf8JsonReader"/> and <see cref="Utf8JsonWriter"/>. All write into the same reused buffer.
/// </summary>
[MemoryDiagnoser]
public class ReportBenchmarks
{
    /// <summary>What Claude Code 2.1.332 sends, with a typical answer: 460 bytes.</summary>
    internal static readonly byte[] Handshake = """
        {"initialize":{"request":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"claude-code","title":"Claude Code","version":"2.1.332","description":"Anthropic's agentic coding tool","websiteUrl":"https://claude.com/claude-code"}},"response":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"StdioServer","version":"1.0.0"}}}}
        """u8.ToArray();

    private readonly ArrayBufferWriter<byte> _output = new(4096);
    private readonly Utf8JsonWriter _validatingWriter;
    private readonly Utf8JsonWriter _rawWriter;

    public ReportBenchmarks()
    {
        _validatingWriter = new Utf8JsonWriter(_output, JsonNodeReport.WriterOptions);
        _rawWriter = new Utf8JsonWriter(_output, ReaderAndWriterReport.WriterOptions);
    }

    [Benchmark]
    public int ElicitDoctor()
    {
        _output.ResetWrittenCount();
        using DoctorReport report = Doctor.Report(Handshake);
        report.WriteTo(_output);
        return _output.WrittenCount;
    }

    [Benchmark(Baseline = true)]
    public int JsonNode()
    {
        _output.ResetWrittenCount();
        _validatingWriter.Reset();
        JsonNodeReport.Write(Handshake, _validatingWriter);
        return _output.WrittenCount;
    }

    [Benchmark]
    public int ReaderAndWriter()
    {
        _output.ResetWrittenCount();
        _rawWriter.Reset();
        ReaderAndWriterReport.Write(Handshake, _rawWriter);
        return _output.WrittenCount;
    }

    /// <summary>A comparison of things that do not do the same would be none.</summary>
    internal static void ThrowUnlessAllWriteTheSameBytes()
    {
        var benchmarks = new ReportBenchmarks();
        benchmarks.ElicitDoctor();
        string expected = Encoding.UTF8.GetString(benchmarks._output.WrittenSpan);
        foreach (Func<int> competitor in new Func<int>[] { benchmarks.JsonNode, benchmarks.ReaderAndWriter })
        {
            competitor();
            string actual = Encoding.UTF8.GetString(benchmarks._output.WrittenSpan);
            if (actual != expected)
            {
                throw new InvalidOperationException(
                    $"{competitor.Method.Name} writes another report than the doctor:\n{actual}\ninstead of\n{expected}");
            }
        }
    }
}
