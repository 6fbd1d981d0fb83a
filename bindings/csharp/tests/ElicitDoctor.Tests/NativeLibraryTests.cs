using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;
using ElicitDoctor.Interop;
using Xunit;

namespace ElicitDoctor.Tests;

/// <summary>Runs LoaderHost, a process of its own, from a copy of its directory in which the native library is tampered with.</summary>
public sealed class NativeLibraryTests : IDisposable
{
    private static readonly string FileName = OperatingSystem.IsWindows()
        ? "elicit_doctor.dll"
        : OperatingSystem.IsMacOS() ? "libelicit_doctor.dylib" : "libelicit_doctor.so";

    private readonly string _directory = Directory.CreateTempSubdirectory("elicit-doctor-loader-").FullName;

    private string LibraryPath => Path.Combine(_directory, FileName);

    public NativeLibraryTests()
    {
        foreach (string file in Directory.EnumerateFiles(Metadata("LoaderHostDirectory")))
        {
            File.Copy(file, Path.Combine(_directory, Path.GetFileName(file)));
        }
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    [Fact]
    public async Task The_net8_build_finds_the_library_beside_itself()
    {
        string[] lines = await RunLoaderHost(expectedExitCode: 0);

        Assert.Equal([".NETCoreApp,Version=v8.0", "True", "AdvertisedButAutocanceled"], lines);
    }

    [Fact]
    public async Task A_missing_library_is_named_with_its_places_and_the_rid()
    {
        File.Delete(LibraryPath);

        string message = await RunIntoNativeLibraryException();

        Assert.Contains($"{FileName} was not found", message, StringComparison.Ordinal);
        Assert.Contains(LibraryPath, message, StringComparison.Ordinal);
        AssertSaysWhatToDo(message);
    }

    [Fact]
    public async Task A_library_for_another_processor_is_named_with_both_processors()
    {
        // A 64-bit little-endian ELF header of a shared object (type 3) for the other one of x64 (0x3E) and Arm64 (0xB7).
        bool runsOnArm = RuntimeInformation.ProcessArchitecture == Architecture.Arm64;
        byte[] elf = new byte[64];
        new byte[] { 0x7F, (byte)'E', (byte)'L', (byte)'F', 2, 1, 1 }.CopyTo(elf, 0);
        elf[16] = 3;
        elf[18] = runsOnArm ? (byte)0x3E : (byte)0xB7;
        elf[20] = 1;
        await File.WriteAllBytesAsync(LibraryPath, elf, TestContext.Current.CancellationToken);

        string message = await RunIntoNativeLibraryException();

        Assert.Contains(LibraryPath, message, StringComparison.Ordinal);
        Assert.Contains(runsOnArm ? "an ELF file (Linux, FreeBSD) for X64" : "an ELF file (Linux, FreeBSD) for Arm64", message, StringComparison.Ordinal);
        Assert.Contains($"({RuntimeInformation.ProcessArchitecture})", message, StringComparison.Ordinal);
        AssertSaysWhatToDo(message);
    }

    [Fact]
    public async Task A_file_that_is_no_library_is_named_and_not_passed_over()
    {
        await File.WriteAllTextAsync(LibraryPath, "version https://git-lfs.github.com/spec/v1", TestContext.Current.CancellationToken);

        string message = await RunIntoNativeLibraryException();

        Assert.Contains(LibraryPath, message, StringComparison.Ordinal);
        Assert.Contains("no library of any known format", message, StringComparison.Ordinal);
        AssertSaysWhatToDo(message);
    }

    [Fact]
    public async Task A_library_with_another_abi_is_named_with_both_versions()
    {
        await CompileLibrary("""#[unsafe(no_mangle)] pub extern "C" fn elicit_abi_version() -> u32 { (2 << 16) | 7 }""");

        string message = await RunIntoNativeLibraryException();

        Assert.Contains(LibraryPath, message, StringComparison.Ordinal);
        Assert.Contains("ABI version is 2.7", message, StringComparison.Ordinal);
        Assert.Contains("needs 1.", message, StringComparison.Ordinal);
        AssertSaysWhatToDo(message);
    }

    [Fact]
    public async Task A_library_of_something_else_is_named()
    {
        await CompileLibrary("""#[unsafe(no_mangle)] pub extern "C" fn something_else() {}""");

        string message = await RunIntoNativeLibraryException();

        Assert.Contains(LibraryPath, message, StringComparison.Ordinal);
        Assert.Contains("no function elicit_abi_version", message, StringComparison.Ordinal);
        AssertSaysWhatToDo(message);
    }

    [Theory]
    [InlineData(0x0001_0002, 0x0001_0002, true)]
    [InlineData(0x0001_0003, 0x0001_0002, true)]
    [InlineData(0x0001_0001, 0x0001_0002, false)]
    [InlineData(0x0002_0002, 0x0001_0002, false)]
    [InlineData(0x0000_0002, 0x0001_0002, false)]
    public void The_same_major_and_at_least_the_needed_minor_fit(uint version, uint needed, bool fits)
    {
        Assert.Equal(fits, NativeLibraryLoader.AbiProblem(version, needed) is null);
    }

    [Theory]
    [InlineData("4D5A", 0xAA64, "a PE file (Windows) for Arm64")]
    [InlineData("4D5A", 0x8664, "a PE file (Windows) for X64")]
    [InlineData("CFFAEDFE", 0x0100000C, "a Mach-O file (macOS) for Arm64")]
    [InlineData("CFFAEDFE", 0x01000007, "a Mach-O file (macOS) for X64")]
    [InlineData("7F454C46", 0x3E, "an ELF file (Linux, FreeBSD) for X64")]
    [InlineData("7F454C46", 0xF3, "an ELF file (Linux, FreeBSD) for RISC-V")]
    [InlineData("00000000", 0, "no library of any known format")]
    public void A_file_header_tells_system_and_processor(string magic, int machine, string description)
    {
        byte[] head = new byte[256];
        Convert.FromHexString(magic).CopyTo(head, 0);
        switch (magic)
        {
            case "4D5A":
                head[60] = 128;
                "PE\0\0"u8.CopyTo(head.AsSpan(128));
                BitConverter.TryWriteBytes(head.AsSpan(132), (ushort)machine);
                break;
            case "CFFAEDFE":
                BitConverter.TryWriteBytes(head.AsSpan(4), machine);
                break;
            default:
                BitConverter.TryWriteBytes(head.AsSpan(18), (ushort)machine);
                break;
        }

        Assert.Equal(description, NativeImage.Describe(head));
    }

    [Theory]
    [InlineData("")]
    [InlineData("7F454C46")]
    [InlineData("4D5A")]
    [InlineData("CFFAED")]
    public void A_header_that_is_cut_off_is_no_library(string head)
    {
        Assert.Equal("no library of any known format", NativeImage.Describe(Convert.FromHexString(head)));
    }

    private static void AssertSaysWhatToDo(string message)
    {
        Assert.Contains($"this process runs on {RuntimeInformation.RuntimeIdentifier}", message, StringComparison.Ordinal);
        Assert.Contains($"dotnet publish -r {RuntimeInformation.RuntimeIdentifier}", message, StringComparison.Ordinal);
    }

    private async Task<string> RunIntoNativeLibraryException()
    {
        string[] lines = await RunLoaderHost(expectedExitCode: 1);

        Assert.Equal(typeof(NativeLibraryException).FullName, lines[1]);
        return string.Join('\n', lines[2..]);
    }

    private Task<string[]> RunLoaderHost(int expectedExitCode)
    {
        // The dotnet that runs this test, three levels above shared/Microsoft.NETCore.App/10.0.x.
        string dotnet = Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", "dotnet"));
        return Run(dotnet, [Path.Combine(_directory, "LoaderHost.dll")], expectedExitCode);
    }

    private async Task CompileLibrary(string rust)
    {
        string source = Path.Combine(_directory, "library.rs");
        await File.WriteAllTextAsync(source, rust, TestContext.Current.CancellationToken);
        await Run("rustc", ["--edition=2024", "--crate-type=cdylib", "-o", LibraryPath, source], expectedExitCode: 0);
    }

    private static async Task<string[]> Run(string program, string[] arguments, int expectedExitCode)
    {
        using var process = new Process();
        process.StartInfo = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        process.Start();
        Task<string> errors = process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        string output = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);

        Assert.True(process.ExitCode == expectedExitCode, $"{program} ended with {process.ExitCode}, not {expectedExitCode}:\n{output}\n{await errors}");
        return output.TrimEnd().Split('\n', StringSplitOptions.TrimEntries);
    }

    private static string Metadata(string key) => typeof(NativeLibraryTests).Assembly
        .GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(attribute => attribute.Key == key).Value!;
}
