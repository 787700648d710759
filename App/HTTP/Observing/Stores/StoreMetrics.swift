public import CoreMetrics
public import LarderDomain

/// The metrics of a store and of its managers.
public final class StoreMetrics: Sendable {
    /// The handlers for successful operations, which are nearly all.
    struct Handlers: Sendable {
        let successes: Counter
        let duration: Timer
    }

    private let factory: any MetricsFactory
    private let read, readMany, query, counts, commit: Handlers
    let commitsWaiting: Meter
    let conflicts: Counter
    let unchangedSaves: Counter
    private let retries: Counter
    private let cacheHits, cacheMisses: Counter

    /// Makes the metrics.
    public init(_ factory: any MetricsFactory) {
        self.factory = factory
        func handlers(_ operation: StoreOperation) -> Handlers {
            Handlers(
                successes: Self.counter(operation, "ok", factory),
                duration: Timer(
                    label: "store_operation_duration_seconds", dimensions: [("operation", operation.rawValue)],
                    factory: factory))
        }
        read = handlers(.read)
        readMany = handlers(.readMany)
        query = handlers(.query)
        counts = handlers(.counts)
        commit = handlers(.commit)
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

    subscript(operation: StoreOperation) -> Handlers {
        switch operation {
        case .read: read
        case .readMany: readMany
        case .query: query
        case .counts: counts
        case .commit: commit
        }
    }

    func noteFailure(_ operation: StoreOperation, outcome: String) {
        Self.counter(operation, outcome, factory).increment()
    }

    private static func counter(
        _ operation: StoreOperation, _ outcome: String, _ factory: any MetricsFactory
    ) -> Counter {
        Counter(
            label: "store_operations_total", dimensions: [("operation", operation.rawValue), ("outcome", outcome)],
            factory: factory)
    }
}
