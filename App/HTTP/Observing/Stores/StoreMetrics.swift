public import CoreMetrics
internal import LarderApp
public import LarderData
public import LarderDomain

/// The metrics of a store and of its managers. That of the store's operations has the name and the labels of
/// OpenTelemetry's conventions.
public final class StoreMetrics: Sendable {
    private let factory: any MetricsFactory
    private let system: String
    /// The durations of successful operations, which are nearly all.
    private let read, readMany, query, counts, commit: Timer
    let commitsWaiting: Meter
    let conflicts: Counter
    let unchangedSaves: Counter
    private let retries: Counter
    private let cacheHits, cacheMisses: Counter

    /// Makes the metrics.
    ///
    /// - Parameters:
    ///   - factory: The metrics backend.
    ///   - store: The store, whose kind is a label; `nil` if it is not known.
    public init(_ factory: any MetricsFactory, of store: (any Store)? = nil) {
        let system = store?.systemName ?? "other_sql"
        (self.factory, self.system) = (factory, system)
        func timer(_ operation: StoreOperation) -> Timer { Self.timer(operation, system, factory) }
        (read, readMany, query, counts) = (timer(.read), timer(.readMany), timer(.query), timer(.counts))
        commit = timer(.commit)
        commitsWaiting = Meter(label: "store_commits_waiting", factory: factory)
        conflicts = Counter(label: "store_conflicts_total", factory: factory)
        unchangedSaves = Counter(label: "store_unchanged_saves_total", factory: factory)
        retries = Counter(label: "store_retries_total", factory: factory)
        func lookups(_ outcome: String) -> Counter {
            Counter(label: "store_cache_lookups_total", dimensions: [("outcome", outcome)], factory: factory)
        }
        (cacheHits, cacheMisses) = (lookups("hit"), lookups("miss"))
    }

    /// A retry policy that counts retries, for the manager over the store.
    public var retryPolicy: RetryPolicy { RetryPolicy(onRetry: { [retries] _ in retries.increment() }) }

    /// Counts a cache hit or miss of a `CachedStore`.
    @Sendable public func noteLookup(isHit: Bool) { (isHit ? cacheHits : cacheMisses).increment() }

    /// The durations of successful operations.
    subscript(operation: StoreOperation) -> Timer {
        switch operation {
        case .read: read
        case .readMany: readMany
        case .query: query
        case .counts: counts
        case .commit: commit
        }
    }

    func noteFailure(_ operation: StoreOperation, lasting duration: Duration, outcome: String) {
        Self.timer(operation, system, factory, [("error_type", outcome)]).recordNanoseconds(duration.nanoseconds)
    }

    private static func timer(
        _ operation: StoreOperation, _ system: String, _ factory: any MetricsFactory, _ others: [(String, String)] = []
    ) -> Timer {
        let labels = [("db_operation_name", operation.rawValue), ("db_system_name", system)] + others
        return Timer(label: "db_client_operation_duration_seconds", dimensions: labels, factory: factory)
    }
}

extension Store {
    /// The kind of store: `db.system.name` of OpenTelemetry's conventions.
    var systemName: String { traits.kind == "postgres" ? "postgresql" : traits.kind }
}
