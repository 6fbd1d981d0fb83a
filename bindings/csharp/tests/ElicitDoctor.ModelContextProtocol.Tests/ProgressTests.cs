using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Time.Testing;
using ModelContextProtocol;
using ModelContextProtocol.AspNetCore;
using ModelContextProtocol.Client;
using Xunit;

namespace ElicitDoctor.ModelContextProtocol.Tests;

/// <summary>A host that wants progress hears of the doctor while the question is open.</summary>
public sealed class ProgressTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Progress_is_told_at_the_start_and_every_five_seconds(bool http)
    {
        var time = new FakeTimeProvider();
        void Configure(IMcpServerBuilder builder) => builder.Services.AddSingleton<TimeProvider>(time);
        await using var pipe = http ? null : PipeServer.Start(Configure);
        await using var web = http ? await HttpServer.StartAsync(HttpServerSessionMode.Stateful, Configure) : null;
        var progress = new Progress();
        var options = Clients.Options(Clients.InitializeEra, async (_, _) =>
        {
            await progress.ReachAsync(1);
            time.Advance(TimeSpan.FromSeconds(5));
            await progress.ReachAsync(2);
            time.Advance(TimeSpan.FromSeconds(5));
            await progress.ReachAsync(3);
            return Clients.Accept("ok");
        });
        await using var client = await (pipe?.ConnectAsync(options) ?? web!.ConnectAsync(options));

        await client.CallDoctorAsync(probeElicitation: true, progress: progress);
        time.Advance(TimeSpan.FromSeconds(60));
        await client.CallDoctorAsync();

        Assert.Equal(
            [(1f, "Waiting for an answer"), (2f, "Waiting for an answer (5 s)"), (3f, "Waiting for an answer (10 s)")],
            progress.Notifications.Select(notification => (notification.Progress, notification.Message)));
    }

    [Fact]
    public async Task Progress_grows_from_one_question_to_the_next()
    {
        await using var server = PipeServer.Start(builder => builder.WithElicitDoctor(options => options.ProbePage = name => new(new($"https://example.com/{name}"))));
        var progress = new Progress();
        await using var client = await server.ConnectAsync(Clients.Options(Clients.InitializeEra, async (question, _) =>
        {
            await progress.ReachAsync(question.Mode == "url" ? 2 : 1);
            return Clients.Accept("ok");
        }));

        await client.CallDoctorAsync(probeElicitation: true, probeUrl: true, progress);

        Assert.Equal([1f, 2f], progress.Notifications.Select(notification => notification.Progress));
    }

    private sealed class Progress : IProgress<ProgressNotificationValue>
    {
        private readonly SemaphoreSlim _arrived = new(0);
        private int _awaited;

        public ConcurrentQueue<ProgressNotificationValue> Notifications { get; } = [];

        public void Report(ProgressNotificationValue value)
        {
            Notifications.Enqueue(value);
            _arrived.Release();
        }

        public async Task ReachAsync(int count)
        {
            for (; _awaited < count; _awaited++)
            {
                await _arrived.WaitAsync(Clients.Cancellation);
            }
        }
    }
}
