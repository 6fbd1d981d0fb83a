using System.Reflection;
using System.Runtime.Versioning;
using ElicitDoctor;

try
{
    Console.WriteLine(typeof(Doctor).Assembly.GetCustomAttribute<TargetFrameworkAttribute>()?.FrameworkName);
    using DoctorReport report = Doctor.Report("""{"initialize":{"request":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}}}}}""");
    Console.WriteLine(report.Support.ElicitationForm);
    Console.WriteLine(Doctor.Classify(ElicitationAction.Cancel, TimeSpan.FromMilliseconds(8)));
    return 0;
}
catch (Exception e)
{
    Console.WriteLine(e.GetType().FullName);
    Console.WriteLine(e.Message);
    return 1;
}
