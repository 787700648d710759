import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import LarderStoreContract
import Logging
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Observed store")
struct ObservedStoreTests {
    private let metrics = PrometheusMetrics(help: [:])

    private func lines(_ prefix: String) -> [String] {
        metrics.text().split(separator: "\n").map(String.init).filter { $0.hasPrefix(prefix) }
    }

    /// Laws use stores after closing them; the log does not need these errors.
    private func judge(_ fixture: StoreFixture) async -> [LawVerdict] {
        // At the quick size, every fourth law: enough to detect a broken decorator.
        let step = RunSize.current == .quick ? 4 : 1
        let laws = StoreContract.laws.enumerated().filter { $0.offset % step == 0 }.map(\.element)
        return await withLogger(handler: SwiftLogNoOpLogHandler()) { _ in
            await StoreContract.judge(fixture, laws: laws)
        }
    }

    @Test func `over memory it keeps every law that memory keeps`() async {
        let metrics = StoreMetrics(metrics)
        let fixture = StoreFixture("observed memory") { schemas, _ in
            ObservedStore(MemoryStore(schemas), metrics: metrics)
        }
        for verdict in await judge(fixture) {
            if case .broken = verdict.verdict { Issue.record("\(verdict)") }
        }
    }

    @Test func `over SQLite it keeps every law that SQLite keeps`() async {
        let metrics = StoreMetrics(metrics)
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-observed-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fixture = StoreFixture("observed sqlite") { schemas, name in
            let configuration = SQLiteStore.Configuration(.file("\(folder)/\(name)/store.sqlite"), durability: .normal)
            return ObservedStore(try await SQLiteStore.open(configuration, schemas: schemas), metrics: metrics)
        } copy: { name, other in
            try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/\(other)")
        } discard: { name in
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        for verdict in await judge(fixture) {
            if verdict.verdict != .kept { Issue.record("\(verdict)") }
        }
    }

    @Test func `operations are counted by kind and outcome, and conflicts apart`() async throws {
        let mappers = try JarMapper.mappers()
        let memory = MemoryStore(mappers.schemas)
        let store = ObservedStore(memory, metrics: StoreMetrics(metrics, of: memory))
        let manager = StoreManager(store, mappers: mappers)
        var jar = JarMapper.jar("plum")
        try await manager.create(jar)
        _ = try await manager.read(jar.id)
        _ = try await manager.read([jar.id, jar.id])
        _ = try await manager.read(Query<Jar>())
        let key = EntityKey(JarMapper.mapping.schema, jar.id.rawValue)
        let stale = ChangeSet(deletes: [RootExpectation(key, version: 9)])
        await #expect(throws: PersistencyError.self) { try await store.commit(stale) }
        jar.label = "pear"
        await #expect(throws: PersistencyError.self) { try await manager.create(jar) }
        let name = "db_client_operation_duration_seconds_count"
        let labels = [
            #"="commit",db_system_name="memory"} 1"#,
            #"="commit",db_system_name="memory",error_type="conflict"} 1"#,
            #"="commit",db_system_name="memory",error_type="duplicate"} 1"#,
            #"="counts",db_system_name="memory"} 0"#, #"="query",db_system_name="memory"} 1"#,
            #"="read",db_system_name="memory"} 1"#, #"="read_many",db_system_name="memory"} 1"#,
        ]
        #expect(lines(name) == labels.map { name + "{db_operation_name" + $0 })
        #expect(lines("store_conflicts_total") == ["store_conflicts_total 1"])
        #expect(lines("store_commits_waiting") == ["store_commits_waiting 0"])
    }

    @Test func `slow and failed operations are logged with the id of the request that they are for`() async throws {
        let (recorder, clock, script) = (LogRecorder(), TestClock(), MemoryStore.Script())
        script.failCommit(number: 2, with: .unavailable(Unavailable(.full, "no room")))
        script.beforeCommit { _ in clock.advance(by: .milliseconds(501)) }
        let mappers = try JarMapper.mappers()
        let store = ObservedStore(
            MemoryStore(mappers.schemas, script: script), metrics: StoreMetrics(metrics), now: clock.now)
        let manager = StoreManager(store, mappers: mappers)
        try await withLogger(recorder.logger()) { _ in
            try await withLogger(mergingMetadata: ["request_id": "r1"]) { _ in
                _ = try await manager.read(JarMapper.jar("none").id)
                try await manager.create(JarMapper.jar("plum"))
                #expect(store.commitTrouble == nil)
                await #expect(throws: PersistencyError.self) { try await manager.create(JarMapper.jar("pear")) }
            }
        }
        #expect(store.commitTrouble?.reason == .full)
        let lines = try recorder.objects()
        #expect(lines.map(\.message) == ["slow store operation", "store unavailable"])
        #expect(lines.map(\.level) == ["warning", "error"])
        #expect(lines.map(\.request_id) == ["r1", "r1"])
        #expect(lines.map(\.operation) == ["commit", "commit"])
        #expect(lines.map(\.entity) == ["jar", "jar"])
        #expect(lines.first?.duration_ms == 501)
        #expect(lines.last?.reason == "full")
        try await manager.create(JarMapper.jar("pear"))
        #expect(store.commitTrouble == nil)
    }

    @Test func `a commit that waits is counted as waiting`() async throws {
        let script = MemoryStore.Script()
        let mappers = try JarMapper.mappers()
        let store = ObservedStore(MemoryStore(mappers.schemas, script: script), metrics: StoreMetrics(metrics))
        script.beforeCommit { _ in #expect(lines("store_commits_waiting") == ["store_commits_waiting 1"]) }
        try await StoreManager(store, mappers: mappers).create(JarMapper.jar("plum"))
        #expect(lines("store_commits_waiting") == ["store_commits_waiting 0"])
    }
}
