import LarderData
import LarderDecorators
import LarderInfrastructure
import Testing

@testable import LarderHTTP

@Suite("Metrics of mirrors")
struct MirrorMetricsTests {
    private let metrics = PrometheusMetrics(help: [:])

    private var lines: [String] {
        metrics.text().split(separator: "\n").map(String.init).filter { $0.hasPrefix("store_mirror") }
    }

    @Test func `a mirror that has failed does not follow, and its missing commits are counted`() async throws {
        let mappers = try JarMapper.mappers()
        let members = try MirroredStore.schemas(of: mappers.schemas)
        let mirror = MemoryStore(members)
        let store = try await MirroredStore.open(
            mappers.schemas, primary: .init("one", MemoryStore(members)), mirrors: [.init("two", mirror)])
        let gauges = MirrorMetrics(of: ObservedStore(store, metrics: StoreMetrics(metrics)), metrics)
        gauges.refresh()
        #expect(
            lines == [#"store_mirror_follows{mirror="two"} 1"#, #"store_mirror_missing_commits{mirror="two"} 0"#])
        mirror.close()
        let manager = StoreManager(store, mappers: mappers)
        try await manager.create(JarMapper.jar("plum"))
        while store.mirrors[0].trouble == nil { try await Task.sleep(for: .milliseconds(1)) }
        gauges.refresh()
        #expect(
            lines == [#"store_mirror_follows{mirror="two"} 0"#, #"store_mirror_missing_commits{mirror="two"} 1"#])
        await store.close()
    }

    @Test func `a store without mirrors has no such metrics`() throws {
        let store = MemoryStore(try JarMapper.mappers().schemas)
        MirrorMetrics(of: store, metrics).refresh()
        #expect(lines.isEmpty)
    }
}
