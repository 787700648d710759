internal import ServiceLifecycle

/// Repeats work at its start and after each interval, until graceful shutdown or cancellation. Neither is an error.
struct IntervalService: Service {
    let interval: Duration
    var clock: any Clock<Duration> = ContinuousClock()
    let work: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await work()
                try? await clock.sleep(for: interval)
            }
        }
    }
}
