using System.Diagnostics.CodeAnalysis;

namespace ElicitDoctor;

/// <summary>What the first pass of a <see cref="RoundTrip"/> comes to: the host is asked, or it must not be.</summary>
public sealed class RoundTripStep
{
    internal RoundTripStep(byte[] inputRequired)
    {
        InputRequired = inputRequired;
    }

    internal RoundTripStep(DoctorReport report)
    {
        Report = report;
    }

    /// <summary>Whether the host is asked: answer the call with <see cref="InputRequired"/>. If not, with <see cref="Report"/>.</summary>
    [MemberNotNullWhen(false, nameof(Report))]
    public bool Asks => Report is null;

    /// <summary>
    /// The result with which to answer the call, as UTF-8 JSON: <c>resultType</c> is <c>input_required</c>, with
    /// <c>inputRequests</c> under the key <c>elicit_doctor</c> and <c>requestState</c>. Empty if the host is not asked.
    /// </summary>
    public ReadOnlyMemory<byte> InputRequired { get; }

    /// <summary>The report that says why the host must not be asked; null if it is.</summary>
    public DoctorReport? Report { get; }
}
