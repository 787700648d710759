internal import CoreMetrics
internal import LarderData
internal import LarderDecorators

/// The gauges of the mirrors of a store. A store without mirrors has none.
struct MirrorMetrics: Sendable {
    private let store: MirroredStore?
    private let gauges: [(follows: Meter, missing: Meter)]

    /// Makes the gauges of all mirrors, also below other decorators.
    init(of store: (any Store)?, _ factory: any MetricsFactory) {
        self.store = store?.feature(MirroredStore.self)
        gauges = (self.store?.mirrors ?? []).map { mirror in
            func gauge(_ label: String) -> Meter {
                Meter(label: label, dimensions: [("mirror", mirror.name)], factory: factory)
            }
            return (gauge("store_mirror_follows"), gauge("store_mirror_missing_commits"))
        }
    }

    func refresh() {
        for (gauge, mirror) in zip(gauges, store?.mirrors ?? []) {
            gauge.follows.set(mirror.trouble == nil ? 1 : 0)
            gauge.missing.set(mirror.missing)
        }
    }
}
