internal import CoreMetrics
public import LarderDomain
private import Synchronization

/// Forwards all calls to a manager, and counts saves and updates that change nothing.
///
/// In a transaction, they are counted after the commit: attempts that end with a conflict are not counted.
public struct ObservedManager: PersistencyManager {
    private let base: any PersistencyManager
    private let note: @Sendable () -> Void
    private let metrics: StoreMetrics
    /// The counts of the running transaction.
    private let tally: Tally?

    /// Observes a manager and its transactions.
    public init(_ base: any PersistencyManager, metrics: StoreMetrics) {
        self.init(base, metrics, tally: nil)
    }

    private init(_ base: any PersistencyManager, _ metrics: StoreMetrics, tally: Tally?) {
        self.base = base
        self.metrics = metrics
        self.tally = tally
        note = { if let tally { tally.add() } else { metrics.unchangedSaves.increment() } }
    }

    public func requirePermission<E: Entity>(
        for action: Forbidden.Action, _ id: EntityID<E>?, of type: E.Type
    ) throws(PersistencyError) {
        try base.requirePermission(for: action, id, of: type)
    }

    @discardableResult
    public func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        try await base.create(entity)
    }

    /// The base manager's value.
    public var isInTransaction: Bool { base.isInTransaction }

    @discardableResult
    public func create<E: Entity>(contentsOf entities: [E]) async throws(PersistencyError) -> [Stored<E>] {
        try await base.create(contentsOf: entities)
    }

    public func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>? {
        try await base.read(id)
    }

    public func read<E: Entity>(_ ids: [EntityID<E>]) async throws(PersistencyError) -> [Stored<E>] {
        try await base.read(ids)
    }

    public func read<E: Entity>(_ query: Query<E>) async throws(PersistencyError) -> QueryPage<E> {
        try await base.read(query)
    }

    public func counts<E: Entity, Key: Hashable & Sendable>(
        _ query: Query<E>, by grouping: Grouping<E, Key>
    ) async throws(PersistencyError) -> [Key: Int] {
        try await base.counts(query, by: grouping)
    }

    public func changes(
        after token: ChangeToken?
    ) async throws(PersistencyError) -> any AsyncSequence<ChangeEvent, Never> & Sendable {
        try await base.changes(after: token)
    }

    public func observe<E: Entity>(
        _ query: Query<E>
    ) async throws(PersistencyError) -> any AsyncSequence<QueryPage<E>, PersistencyError> & Sendable {
        try await base.observe(query)
    }

    public func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        try await base.outcome(of: id)
    }

    @discardableResult
    public func update<E: Entity>(_ entity: E, expecting version: Int64?) async throws(PersistencyError) -> Saved<E> {
        noted(try await base.update(entity, expecting: version))
    }

    @discardableResult
    public func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        noted(try await base.save(entity))
    }

    public func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        try await base.delete(id, expecting: version)
    }

    @discardableResult
    public func delete<E: Entity>(matching query: Query<E>) async throws(PersistencyError) -> Int {
        try await base.delete(matching: query)
    }

    @discardableResult
    public func transaction<Result>(_ body: (any PersistencyManager) async throws -> Result) async throws -> Result {
        if tally != nil {
            return try await base.transaction { try await body(ObservedManager($0, metrics, tally: tally)) }
        }
        var last = Tally()
        let result = try await base.transaction { manager in
            // Each attempt starts with a count of zero.
            let attempt = Tally()
            last = attempt
            return try await body(ObservedManager(manager, metrics, tally: attempt))
        }
        metrics.unchangedSaves.increment(by: last.count)
        return result
    }

    private func noted<E: Entity>(_ saved: Saved<E>) -> Saved<E> {
        if saved.outcome == .unchanged { note() }
        return saved
    }
}

/// A count that is shared by the child tasks of a transaction's body.
private final class Tally: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    func add() { number.add(1, ordering: .relaxed) }
}
