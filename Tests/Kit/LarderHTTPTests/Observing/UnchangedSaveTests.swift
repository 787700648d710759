import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import Testing

@Suite("The manager over an observed store")
struct UnchangedSaveTests {
    private let metrics = PrometheusMetrics(help: [:])

    private func value(_ name: String) -> Substring? {
        metrics.text().split(separator: "\n").first { $0.hasPrefix(name + " ") }?.dropFirst(name.count + 1)
    }

    private func parts(_ script: MemoryStore.Script? = nil) throws -> (store: ObservedStore, manager: StoreManager) {
        let (measured, mappers) = (StoreMetrics(metrics), try JarMapper.mappers())
        let store = ObservedStore(MemoryStore(mappers.schemas, script: script), metrics: measured)
        return (store, StoreManager(store, mappers: mappers, retry: measured.retryPolicy))
    }

    @Test func `saves and updates that write nothing are counted`() async throws {
        let manager = try parts().manager
        var jar = JarMapper.jar("plum")
        try await manager.save(jar)
        try await manager.save(jar)
        try await manager.update(jar)
        jar.label = "pear"
        try await manager.save(jar)
        #expect(value("store_unchanged_saves_total") == "2")
        try await manager.delete(jar.id)
        #expect(try await manager.read(jar.id) == nil)
    }

    @Test func `changes of a transaction count once, after its commit, also joined ones`() async throws {
        let script = MemoryStore.Script()
        let (_, manager) = try parts(script)
        let (jar, other) = (JarMapper.jar("plum"), JarMapper.jar("pear"))
        try await manager.create(jar)
        try await manager.create(other)
        script.failCommit(
            number: 3, with: .conflict(Conflict(EntityReference(jar.id), expected: 1, found: 2)))
        try await manager.transaction { inner in
            try await inner.save(jar)
            try await inner.transaction { try await $0.update(other) }
            try await inner.create(JarMapper.jar("fig"))
        }
        #expect(value("store_unchanged_saves_total") == "2")
        #expect(value("store_retries_total") == "1")
        #expect(value("store_conflicts_total") == "1")
        struct Changed: Error {}
        await #expect(throws: Changed.self) {
            try await manager.transaction { inner in
                try await inner.save(jar)
                throw Changed()
            }
        }
        #expect(value("store_unchanged_saves_total") == "2")
    }
}
