using ElicitDoctor.Interop;
using Xunit;

namespace ElicitDoctor.Tests;

public class EnumTests
{
    [Theory]
    [InlineData(typeof(ElicitStatus), typeof(Interop.ElicitStatus))]
    [InlineData(typeof(Verdict), typeof(ElicitVerdict))]
    [InlineData(typeof(Delivery), typeof(ElicitDelivery))]
    public void Public_enumerations_have_the_names_and_numbers_of_the_native_ones(Type publicEnum, Type nativeEnum)
    {
        Assert.Equal(Members(nativeEnum), Members(publicEnum).Where(member => member.Value >= 0));
    }

    private static IEnumerable<(string Name, int Value)> Members(Type type) =>
        Enum.GetNames(type).Select(name => (name, (int)Enum.Parse(type, name))).OrderBy(member => member.Item2);
}
