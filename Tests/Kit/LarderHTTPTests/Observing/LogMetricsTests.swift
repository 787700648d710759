import Foundation
import LarderData
import LarderInfrastructure
import Testing

@testable import LarderHTTP

@Suite("Metrics of logs")
struct LogMetricsTests {
    private let metrics = PrometheusMetrics(help: [:])

    private var lines: [String] {
        metrics.text().split(separator: "\n").map(String.init).filter { $0.hasPrefix("store_log") }
    }

    @Test func `the size of the log is a metric, also below decorators`() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/larder-log-metrics-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let mappers = try JarMapper.mappers()
        let store = try await SQLiteStore.open(.init(.file(folder + "/db.sqlite")), schemas: mappers.schemas)
        let gauges = LogMetrics(of: ObservedStore(store, metrics: StoreMetrics(metrics)), metrics)
        gauges.refresh()
        #expect(lines == ["store_log_blocked 0", "store_log_bytes 0"])
        try await StoreManager(store, mappers: mappers).create(JarMapper.jar("plum"))
        gauges.refresh()
        #expect(lines.count == 2 && !lines.contains("store_log_bytes 0") && lines.contains("store_log_blocked 0"))
        await store.close()
    }

    @Test func `a store without such a log has no such metrics`() throws {
        let store = MemoryStore(try JarMapper.mappers().schemas)
        LogMetrics(of: store, metrics).refresh()
        #expect(lines.isEmpty)
    }
}
