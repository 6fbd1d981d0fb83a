using Xunit;

namespace ElicitDoctor.Tests;

public class ClassifyTests
{
    [Theory]
    [InlineData(ElicitationAction.Accept, 0, true, false, Verdict.AdvertisedButUnanswered)]
    [InlineData(ElicitationAction.None, 40_000, true, true, Verdict.AdvertisedButUnanswered)]
    [InlineData(ElicitationAction.Accept, 3000, false, true, Verdict.Unsupported)]
    [InlineData(ElicitationAction.None, 3000, false, false, Verdict.Unsupported)]
    [InlineData((ElicitationAction)99, 3000, false, false, Verdict.Unsupported)]
    [InlineData((ElicitationAction)(-1), 3000, false, false, Verdict.Unsupported)]
    [InlineData(ElicitationAction.Accept, 0, false, false, Verdict.Working)]
    [InlineData(ElicitationAction.Accept, 60_000, false, false, Verdict.Working)]
    [InlineData(ElicitationAction.Decline, 0, false, false, Verdict.AdvertisedButAutocanceled)]
    [InlineData(ElicitationAction.Decline, 1999, false, false, Verdict.AdvertisedButAutocanceled)]
    [InlineData(ElicitationAction.Decline, 2000, false, false, Verdict.UserDeclined)]
    [InlineData(ElicitationAction.Cancel, 8, false, false, Verdict.AdvertisedButAutocanceled)]
    [InlineData(ElicitationAction.Cancel, 1999, false, false, Verdict.AdvertisedButAutocanceled)]
    [InlineData(ElicitationAction.Cancel, 2000, false, false, Verdict.UserDeclined)]
    public void Every_outcome_has_its_verdict(ElicitationAction action, int latencyMs, bool timedOut, bool errored, Verdict verdict)
    {
        Assert.Equal(verdict, Doctor.Classify(action, TimeSpan.FromMilliseconds(latencyMs), timedOut, errored));
    }

    [Fact]
    public void A_latency_counts_in_whole_milliseconds()
    {
        TimeSpan justBelow = TimeSpan.FromMilliseconds(2000) - TimeSpan.FromTicks(1);

        Assert.Equal(Verdict.AdvertisedButAutocanceled, Doctor.Classify(ElicitationAction.Cancel, justBelow));
    }

    [Fact]
    public void A_negative_latency_counts_as_none()
    {
        Assert.Equal(Verdict.AdvertisedButAutocanceled, Doctor.Classify(ElicitationAction.Cancel, TimeSpan.MinValue));
    }

    [Fact]
    public void The_longest_latency_is_a_person()
    {
        Assert.Equal(Verdict.UserDeclined, Doctor.Classify(ElicitationAction.Decline, TimeSpan.MaxValue));
    }

    [Theory]
    [InlineData(Verdict.Working, "working")]
    [InlineData(Verdict.UserDeclined, "user_declined")]
    [InlineData(Verdict.AdvertisedButAutocanceled, "advertised_but_autocanceled")]
    [InlineData(Verdict.AdvertisedButUnanswered, "advertised_but_unanswered")]
    [InlineData(Verdict.Unsupported, "unsupported")]
    public void Every_verdict_has_its_name(Verdict verdict, string name)
    {
        Assert.Equal(name, verdict.ToWireName());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(6)]
    [InlineData(-1)]
    public void There_are_no_other_verdicts(int verdict)
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => ((Verdict)verdict).ToWireName());
    }
}
