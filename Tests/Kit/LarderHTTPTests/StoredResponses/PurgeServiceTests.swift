import LarderHTTP
import Logging
import ServiceLifecycle
import Synchronization
import Testing

struct PurgeServiceTests {
    private struct Failed: Error {}

    @Test func `each purge runs until it finds nothing, again after the interval, and ends at graceful shutdown`()
        async throws
    {
        let left = Mutex([3, 0, 2, 0])
        let (failures, failed) = AsyncStream.makeStream(of: Void.self)
        let (rounds, told) = AsyncStream.makeStream(of: Int.self)
        let service = PurgeService(
            [
                .init("failing") {
                    failed.yield()
                    throw Failed()
                },
                .init("answers") {
                    let count = left.withLock { $0.isEmpty ? 0 : $0.removeFirst() }
                    told.yield(count)
                    return count
                },
            ], every: .milliseconds(1), logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        let group = ServiceGroup(
            configuration: .init(services: [.init(service: service)], logger: Logger(label: "test")))
        let running = Task { try await group.run() }
        var counts: [Int] = []
        for await count in rounds.prefix(6) { counts.append(count) }
        #expect(counts == [3, 0, 2, 0, 0, 0])
        var failureCount = 0
        for await _ in failures.prefix(3) { failureCount += 1 }
        #expect(failureCount == 3)
        await group.triggerGracefulShutdown()
        try await running.value
    }
}
