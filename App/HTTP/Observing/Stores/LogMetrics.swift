internal import CoreMetrics
internal import LarderData

/// The gauges of a store's log. A store whose log restarts at any time has none.
struct LogMetrics: Sendable {
    private let store: (any LogKeepingStore)?
    private let gauges: (bytes: Meter, blocked: Meter)?

    /// Makes the gauges of a store, also below decorators.
    init(of store: (any Store)?, _ factory: any MetricsFactory) {
        self.store = store?.feature((any LogKeepingStore).self)
        gauges = self.store?.logBytes.map { _ in
            (Meter(label: "store_log_bytes", factory: factory), Meter(label: "store_log_blocked", factory: factory))
        }
    }

    func refresh() {
        guard let store, let gauges else { return }
        gauges.bytes.set(store.logBytes ?? 0)
        gauges.blocked.set(store.isLogBlocked ? 1 : 0)
    }
}
