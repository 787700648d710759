import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import Logging
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Readiness")
struct ReadinessTests {
    private let clock = TestClock()

    @Test func `a result is valid for the interval, and not longer`() async {
        let looks = Atomic(0)
        let readiness = Readiness(now: clock.now) {
            looks.add(1, ordering: .relaxed)
            return .writable
        }
        for _ in 0..<3 { #expect(await readiness.state() == .ready(.writable)) }
        clock.advance(by: .milliseconds(4_999))
        _ = await readiness.state()
        #expect(looks.load(ordering: .relaxed) == 1)
        clock.advance(by: .milliseconds(1))
        _ = await readiness.state()
        #expect(looks.load(ordering: .relaxed) == 2)
    }

    @Test func `concurrent requests share one check`() async {
        let looks = Atomic(0)
        let (gate, open) = AsyncStream<Void>.makeStream()
        let readiness = Readiness(now: clock.now) {
            looks.add(1, ordering: .relaxed)
            for await _ in gate { break }
            return .readOnly("full")
        }
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask { #expect(await readiness.state() == .ready(.readOnly("full"))) }
            }
            await #expect(throws: Never.self) { try await until { looks.load(ordering: .relaxed) > 0 } }
            open.finish()
        }
        #expect(looks.load(ordering: .relaxed) == 1)
    }

    @Test func `a change is logged once`() async throws {
        let recorder = LogRecorder()
        let found = Mutex(StoreHealth.writable)
        let readiness = Readiness(now: clock.now) { found.withLock { $0 } }
        let health: [StoreHealth] = [.writable, .readOnly("full"), .readOnly("full"), .unusable("closed"), .writable]
        await withLogger(recorder.logger()) { _ in
            for health in health {
                found.withLock { $0 = health }
                _ = await readiness.state()
                clock.advance(by: .seconds(5))
            }
        }
        #expect(try recorder.objects().map(\.level) == ["warning", "error", "notice"])
        #expect(try recorder.objects().map(\.reason) == ["full", "closed", nil])
    }

    @Test func `a service that drains is not ready, whatever its store does`() async {
        let signal = ShutdownSignal()
        let readiness = Readiness(signal: signal, now: clock.now) { .writable }
        signal.give()
        #expect(await readiness.state() == .draining)
    }

    @Test func `a store in memory is writable until it is closed, and a probe leaves nothing`() async throws {
        let script = MemoryStore.Script()
        let store = MemoryStore(try JarMapper.mappers().schemas, script: script)
        let probe = StoreProbe(store)
        #expect(await probe.health() == .writable)
        #expect(await store.measurements().rowsWritten == 0)
        // An update of nothing, and an empty commit.
        #expect(script.commits.count == 2)
        script.failCommit(number: 3, with: .unavailable(Unavailable(.busy, "locked")))
        #expect(await probe.health() == .readOnly("busy"))
        script.failCommit(number: 5, with: .unavailable(Unavailable(.busy, "the journal is held up")))
        #expect(await probe.health() == .readOnly("busy"))
        script.failCommit(number: 6, with: .unavailable(Unavailable(.failed, "poisoned")))
        #expect(await probe.health() == .unusable("failed"))
        store.close()
        #expect(await probe.health() == .unusable("closed"))
    }

    @Test func `the result of the last real commit is remembered, and probes count as no operation`() async throws {
        let (script, metrics) = (MemoryStore.Script(), PrometheusMetrics(help: [:]))
        let mappers = try JarMapper.mappers()
        let store = ObservedStore(MemoryStore(mappers.schemas, script: script), metrics: StoreMetrics(metrics))
        let (manager, probe) = (StoreManager(store, mappers: mappers), StoreProbe(store))
        script.failCommit(number: 1, with: .unavailable(Unavailable(.full, "no room")))
        await #expect(throws: PersistencyError.self) { try await manager.create(JarMapper.jar("plum")) }
        #expect(await probe.health() == .readOnly("full"))
        try await manager.create(JarMapper.jar("plum"))
        #expect(await probe.health() == .writable)
        #expect(metrics.text().contains("store_conflicts_total 0\n"))
    }

    @Test func `of SQLite a probe takes the right to write, and writes no byte`() async throws {
        let schemas = try JarMapper.mappers().schemas
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-ready-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/store.sqlite"
        let store = try await SQLiteStore.open(.init(.file(path)), schemas: schemas)
        let before = await store.measurements()
        #expect(await StoreProbe(store).health() == .writable)
        let after = await store.measurements()
        #expect(after.bytesWritten == before.bytesWritten)
        #expect(after.rowsWritten == before.rowsWritten)

        let reader = try await SQLiteStore.open(.init(.file(path), access: .readOnly), schemas: schemas)
        #expect(await StoreProbe(reader).health() == .readOnly("read_only"))
        await reader.close()
        await store.close()
        #expect(await StoreProbe(store).health() == .unusable("closed"))
    }
}
