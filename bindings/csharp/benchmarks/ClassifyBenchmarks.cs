using System.Runtime.InteropServices;
using BenchmarkDotNet.Attributes;

namespace ElicitDoctor.Benchmarks;

/// <summary>What <see cref="Doctor.Classify"/> adds to the cheapest call from .NET into C that there is.</summary>
[MemoryDiagnoser]
public class ClassifyBenchmarks
{
    private const int Calls = 1000;

    private readonly TimeSpan _latency = TimeSpan.FromMilliseconds(8);

    [Benchmark(Baseline = true, OperationsPerInvoke = Calls)]
    public uint EmptyCall()
    {
        uint sum = 0;
        for (int i = 0; i < Calls; i++)
        {
            sum += AbiVersion();
        }

        return sum;
    }

    [Benchmark(OperationsPerInvoke = Calls)]
    public int Classify()
    {
        int sum = 0;
        for (int i = 0; i < Calls; i++)
        {
            sum += (int)Doctor.Classify(ElicitationAction.Cancel, _latency);
        }

        return sum;
    }

    [SuppressGCTransition]
    [DllImport("elicit_doctor", EntryPoint = "elicit_abi_version", ExactSpelling = true)]
    private static extern uint AbiVersion();
}
