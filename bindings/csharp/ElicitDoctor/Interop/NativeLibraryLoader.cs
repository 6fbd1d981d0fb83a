using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ElicitDoctor.Interop;

/// <summary>
/// Finds the native library and checks that it fits, once per process and before the first call into it.
/// </summary>
internal static class NativeLibraryLoader
{
    /// <summary>The version that the declarations were generated from, in the form of <c>elicit_abi_version</c>.</summary>
    private const uint NeededAbi = (NativeMethods.ELICIT_ABI_VERSION_MAJOR << 16) | NativeMethods.ELICIT_ABI_VERSION_MINOR;

    private static string? _loadedFile;

    // A text and not an exception: a thrown initialiser would come out as TypeInitializationException, and one exception
    // object thrown by many threads would mix their stack traces. `static readonly`, so that the compiled code of a call
    // has no check left.
    private static readonly string? Problem = Load();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void ThrowIfUnusable()
    {
        if (Problem is not null)
        {
            Throw(Problem);
        }
    }

    /// <summary>
    /// What is wrong with a library of this ABI version, or null: the major has to be the needed one, the minor at least
    /// the needed one.
    /// </summary>
    internal static string? AbiProblem(uint version, uint needed = NeededAbi)
    {
        (uint major, uint minor) = (version >> 16, version & 0xFFFF);
        (uint neededMajor, uint neededMinor) = (needed >> 16, needed & 0xFFFF);
        return major == neededMajor && minor >= neededMinor
            ? null
            : $"its ABI version is {major}.{minor}, and ElicitDoctor {PackageVersion} needs {neededMajor}.{neededMinor} "
                + $"or a later {neededMajor}.x";
    }

    private static string PackageVersion =>
        typeof(NativeLibraryLoader).Assembly.GetName().Version?.ToString(fieldCount: 3) ?? "(unknown version)";

    private static string FileName => OperatingSystem.IsWindows()
        ? "elicit_doctor.dll"
        : OperatingSystem.IsMacOS() ? "libelicit_doctor.dylib" : "libelicit_doctor.so";

    private static string Process =>
        $"this process runs on {RuntimeInformation.RuntimeIdentifier} ({RuntimeInformation.ProcessArchitecture})";

    private static string WhatToDo =>
        $"Use the library that belongs to ElicitDoctor {PackageVersion} and {RuntimeInformation.RuntimeIdentifier}: reference the package or "
        + "the project instead of copying ElicitDoctor.dll alone, publish for the RID of the machine "
        + $"(dotnet publish -r {RuntimeInformation.RuntimeIdentifier}), or put {FileName} beside ElicitDoctor.dll. "
        + "In a clone of the repository, dotnet build makes it with cargo.";

    private static string? Load()
    {
        Assembly assembly = typeof(NativeLibraryLoader).Assembly;
        try
        {
            NativeLibrary.SetDllImportResolver(assembly, Resolve);
        }
        catch (InvalidOperationException)
        {
            // The application has set a resolver of its own for this assembly; then it decides where the library is.
        }

        try
        {
            // A statically linked library (NativeAOT with DirectPInvoke) answers without the resolver being asked.
            return AbiProblem(NativeMethods.elicit_abi_version()) is { } problem
                ? $"The native library {_loadedFile ?? FileName} does not fit: {problem}; {Process}. {WhatToDo}"
                : null;
        }
        catch (NativeLibraryException e)
        {
            return e.Message;
        }
        catch (EntryPointNotFoundException)
        {
            return $"The file {_loadedFile ?? FileName} is not the native library of elicit-doctor: it has no function elicit_abi_version; "
                + $"{Process}. {WhatToDo}";
        }
        catch (Exception e) when (e is DllNotFoundException or BadImageFormatException)
        {
            return $"The native library {FileName} could not be loaded; {Process}. {e.Message} {WhatToDo}";
        }
    }

    private static nint Resolve(string name, Assembly assembly, DllImportSearchPath? searchPath)
    {
        var places = SearchDirectories(assembly).Select(directory => Path.Combine(directory, FileName)).ToList();

        // The first file decides. To pass over one that does not load would hide the mistake and run some older library.
        if (places.Find(File.Exists) is { } file)
        {
            try
            {
                nint handle = NativeLibrary.Load(file);
                _loadedFile = file;
                return handle;
            }
            catch (Exception e) when (e is DllNotFoundException or BadImageFormatException)
            {
                throw new NativeLibraryException(
                    $"The native library {file} could not be loaded: it is {NativeImage.Describe(file)}; {Process}. {WhatToDo} "
                    + $"The loader says: {e.Message}",
                    e);
            }
        }

        if (NativeLibrary.TryLoad(FileName, out nint systemWide))
        {
            return systemWide;
        }

        throw new NativeLibraryException(
            $"The native library {FileName} was not found; {Process}. Looked for: {string.Join(", ", places)}, and "
            + $"{FileName} in the library directories of the system. {WhatToDo}");
    }

    /// <summary>Beside the assembly, then where the host says that the packages' native files are, then the application.</summary>
    private static IEnumerable<string> SearchDirectories(Assembly assembly)
    {
        string packages = AppContext.GetData("NATIVE_DLL_SEARCH_DIRECTORIES") as string ?? "";
        return packages.Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .Prepend(AssemblyDirectory(assembly))
            .Append(AppContext.BaseDirectory)
            .Select(Path.TrimEndingDirectorySeparator)
            .Distinct();
    }

    [UnconditionalSuppressMessage(
        "SingleFile",
        "IL3000",
        Justification = "In a single file the location is empty, and the directory of the application is what is meant.")]
    private static string AssemblyDirectory(Assembly assembly) =>
        Path.GetDirectoryName(assembly.Location) is { Length: > 0 } directory ? directory : AppContext.BaseDirectory;

    [DoesNotReturn]
    private static void Throw(string problem) => throw new NativeLibraryException(problem);
}
