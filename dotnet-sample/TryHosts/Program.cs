using TryHosts;

if (!CommandLine.TryParse(args, out var commandLine, out var problem))
{
    Console.Error.WriteLine($"{problem}\n\n{CommandLine.Help}");
    return 2;
}

if (commandLine.ShowHelp)
{
    Console.WriteLine(CommandLine.Help);
    return 0;
}

using var interrupted = new CancellationTokenSource();
Console.CancelKeyPress += (_, press) =>
{
    press.Cancel = true;
    interrupted.Cancel();
};

try
{
    var server = new ServerProgram(commandLine.Server, commandLine.ProbeTimeout);
    var visits = await WaitingStatus.ShowAsync(PlayedHost.All, host => host.VisitAsync(server, interrupted.Token), quiet: commandLine.Json);
    if (commandLine.Json)
    {
        ReportDocument.Write(visits, Console.OpenStandardOutput());
    }
    else
    {
        ReportTables.Write(visits);
    }

    return 0;
}
catch (OperationCanceledException) when (interrupted.IsCancellationRequested)
{
    return 130;
}
catch (VisitFailedException failure)
{
    Console.Error.WriteLine(failure.Message);
    return 1;
}
