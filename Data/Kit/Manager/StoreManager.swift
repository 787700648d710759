internal import LarderDomain

/// The manager over a store: maps entities to storage objects and back, writes what differs, and runs transactions.
///
/// A value to be copied freely; it holds the store, and the store's owner closes that.
public struct StoreManager: Sendable {
    @usableFromInline let store: any Store
    let mappers: MapperSet
    let retry: RetryPolicy
    /// The cache of the ``CachedStore`` among the store and those below it.
    let cache: EntityCache?

    /// Puts a manager over a store that was opened with (at least) the schemas of the mappers.
    public init(_ store: any Store, mappers: MapperSet, retry: RetryPolicy = RetryPolicy()) {
        self.store = store
        self.mappers = mappers
        self.retry = retry
        cache = store.feature(CachedStore.self)?.entities
    }

    /// The manager of the transaction that runs around this call on this manager's store, if there is one.
    var running: TransactionManager? {
        RunningUnits.current.last { $0.unit.store.identity == store.identity && $0.unit.isOpen }
    }

    /// Refuses work beside a running transaction: it would neither see the transaction's changes nor be part of it.
    func checkOutside() throws(PersistencyError) {
        guard !RunningUnits.current.isEmpty, running != nil else { return }
        throw .outsideTransaction("use the manager that the transaction's body received")
    }
}

/// The managers of the transactions that run around a task, the innermost last.
enum RunningUnits {
    @TaskLocal static var current: [TransactionManager] = []

    /// Runs the body of a transaction.
    static func enter<Result>(
        _ manager: TransactionManager, _ body: (TransactionManager) async throws -> Result
    ) async throws -> Result {
        try await $current.withValue(current + [manager]) { try await body(manager) }
    }
}
