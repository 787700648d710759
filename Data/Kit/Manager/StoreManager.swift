public import LarderDomain

/// The manager of a store: maps entities to storage objects and back, writes differences, and runs transactions.
///
/// Copies share the store, which its owner closes.
///
/// Its generic functions use closures where key paths would be shorter: a key path with a generic root is made anew at
/// each use, which takes longer than a read from the cache.
public struct StoreManager: Sendable {
    @usableFromInline let store: any Store
    let mappers: MapperSet
    let retry: RetryPolicy
    /// The cache of the ``CachedStore``, if the store is one or decorates one.
    let cache: EntityCache?
    let observer: (any TransactionObserver)?
    /// Of reads outside of transactions.
    private(set) var consistency = ReadConsistency()

    /// Creates a manager for a store that was opened with at least the schemas of the mappers.
    public init(_ store: any Store, mappers: MapperSet, retry: RetryPolicy = RetryPolicy()) {
        self.store = store
        self.mappers = mappers
        self.retry = retry
        cache = store.feature(CachedStore.self)?.entities
        observer = store.feature((any TransactionObserver).self)
    }

    /// The same manager, whose queries, read models, counts and figures a replica may answer, and its reads by ids, except of
    /// one entity. Transactions, live queries and the reads of changes use the primary.
    ///
    /// ```swift
    /// try await loans.update(loan)
    /// let position = try await manager.position()
    /// let replica = LoanRepository(manager: manager.reading(ReadConsistency(.replica, including: position)))
    /// ```
    public func reading(_ consistency: ReadConsistency) -> StoreManager {
        var manager = self
        manager.consistency = consistency
        return manager
    }

    /// The position of the last commit: a read that includes it includes all writes of the caller before this call. It may be
    /// given to another process.
    public func position() async throws(PersistencyError) -> ChangeToken { try await store.commit(ChangeSet()).token }

    func noteUnchangedSaves(_ count: Int) {
        if count > 0 { observer?.noteUnchangedSaves(count) }
    }

    /// The manager of the enclosing transaction on this manager's store, if there is one.
    var running: TransactionManager? {
        RunningUnits.current.last { $0.unit.store.identity == store.identity && $0.unit.isOpen }
    }

    /// Refuses work outside a running transaction, which would neither see the transaction's changes nor be part of it.
    func checkOutside() throws(PersistencyError) {
        guard !RunningUnits.current.isEmpty, running != nil else { return }
        throw .outsideTransaction("use the manager that the transaction's body received")
    }
}

/// The managers of the transactions that enclose a task, innermost last.
enum RunningUnits {
    @TaskLocal static var current: [TransactionManager] = []

    static func enter<Result>(
        _ manager: TransactionManager, _ body: (TransactionManager) async throws -> Result
    ) async throws -> Result {
        try await $current.withValue(current + [manager]) { try await body(manager) }
    }
}

/// The policy of `LarderDomain`, for files that do not import it. Not deprecated, because files that import both modules
/// would get the warning, too.
public typealias RetryPolicy = LarderDomain.RetryPolicy
