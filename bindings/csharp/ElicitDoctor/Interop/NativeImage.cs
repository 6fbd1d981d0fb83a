using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace ElicitDoctor.Interop;

/// <summary>
/// Reads what a library file was built for. The loaders of the operating systems answer "file not found" or a number to
/// a file for another processor; this tells the two apart.
/// </summary>
internal static class NativeImage
{
    private const int EnoughForTheHeaders = 4096;

    /// <summary>What the file was built for, such as <c>an ELF file (Linux, FreeBSD) for Arm64</c>.</summary>
    internal static string Describe(string path)
    {
        Span<byte> head = stackalloc byte[EnoughForTheHeaders];
        try
        {
            using FileStream file = File.OpenRead(path);
            head = head[..file.ReadAtLeast(head, head.Length, throwOnEndOfStream: false)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "a file that cannot be read";
        }

        return Describe(head);
    }

    internal static string Describe(ReadOnlySpan<byte> head)
    {
        if (head.Length >= 20 && head.StartsWith("\u007fELF"u8))
        {
            bool bigEndian = head[5] == 2;
            ReadOnlySpan<byte> machine = head[18..20];
            return "an ELF file (Linux, FreeBSD) for " + ElfMachine(bigEndian
                ? BinaryPrimitives.ReadUInt16BigEndian(machine)
                : BinaryPrimitives.ReadUInt16LittleEndian(machine));
        }

        if (head.Length >= 64 && head.StartsWith("MZ"u8))
        {
            uint headers = BinaryPrimitives.ReadUInt32LittleEndian(head[60..64]);
            return headers + 6 <= head.Length && head[(int)headers..].StartsWith("PE\0\0"u8)
                ? "a PE file (Windows) for " + PeMachine(BinaryPrimitives.ReadUInt16LittleEndian(head[((int)headers + 4)..]))
                : "a PE file (Windows) without a readable header";
        }

        if (head.Length >= 8 && BinaryPrimitives.ReadUInt32LittleEndian(head) == 0xFEED_FACF)
        {
            return "a Mach-O file (macOS) for " + MachOMachine(BinaryPrimitives.ReadUInt32LittleEndian(head[4..8]));
        }

        return "no library of any known format";
    }

    private static string ElfMachine(ushort machine) => machine switch
    {
        0x03 => nameof(Architecture.X86),
        0x28 => nameof(Architecture.Arm),
        0x3E => nameof(Architecture.X64),
        0xB7 => nameof(Architecture.Arm64),
        0xF3 => "RISC-V",
        _ => $"processor 0x{machine:X}",
    };

    private static string PeMachine(ushort machine) => machine switch
    {
        0x014C => nameof(Architecture.X86),
        0x8664 => nameof(Architecture.X64),
        0xAA64 => nameof(Architecture.Arm64),
        _ => $"processor 0x{machine:X}",
    };

    private static string MachOMachine(uint machine) => machine switch
    {
        0x0100_0007 => nameof(Architecture.X64),
        0x0100_000C => nameof(Architecture.Arm64),
        _ => $"processor 0x{machine:X}",
    };
}
