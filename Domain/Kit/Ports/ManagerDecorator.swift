/// A manager that changes some operations of another manager, its base: permissions, invariants, faults for tests.
///
/// A decorator implements only the members that it changes; all others are forwarded. The exceptions are operations
/// that consist of others, and therefore have a default in ``PersistencyManager``: the read of one id,
/// ``create(contentsOf:)``, ``change(_:_:)`` and ``delete(matching:)``. The defaults call the decorator's own members, so that a decorator
/// that checks or hides entities cannot be bypassed. A decorator that changes no reads forwards the read of one id
/// itself, which is faster. An update by query is refused, because it calls no member that checks an entity; a decorator
/// that checks no updates forwards it.
public protocol ManagerDecorator: PersistencyManager {
    /// The decorated manager.
    var base: any PersistencyManager { get }

    /// Decorates the manager of a transaction, which the transaction's body receives.
    func decorating(_ manager: any PersistencyManager) -> any PersistencyManager
}

extension ManagerDecorator {
    public var isInTransaction: Bool { base.isInTransaction }

    public func requirePermission<E: Entity>(
        for action: Forbidden.Action, _ id: EntityID<E>?, of type: E.Type
    ) throws(PersistencyError) {
        try base.requirePermission(for: action, id, of: type)
    }

    @discardableResult
    public func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        try await base.create(entity)
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

    /// The read models of ``base``, not the refusal of the default.
    public func read<Model: ReadModel>(
        _ query: Query<Model.Source>, as model: Model.Type
    ) async throws(PersistencyError) -> ReadModelPage<Model> {
        try await base.read(query, as: model)
    }

    /// The aggregates of ``base``, not the refusal of the default.
    public func aggregates<E: Entity>(
        _ query: Query<E>, _ aggregation: Aggregation<E>
    ) async throws(PersistencyError) -> [AggregateGroup] {
        try await base.aggregates(query, aggregation)
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

    /// The outcome of a commit, as ``base`` knows it, not `unknown`, the default of managers without commit ids.
    public func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        try await base.outcome(of: id)
    }

    @discardableResult
    public func update<E: Entity>(_ entity: E, expecting version: Int64?) async throws(PersistencyError) -> Saved<E> {
        try await base.update(entity, expecting: version)
    }

    @discardableResult
    public func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        try await base.save(entity)
    }

    /// The answer of ``base``, not the refusal of the default. A save creates or updates by this manager's members.
    public func twins<E: Entity>(
        of entities: [E], by keys: [any PartialKeyPath<E> & Sendable]
    ) async throws(PersistencyError) -> [Stored<E>?] {
        try await base.twins(of: entities, by: keys)
    }

    public func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        try await base.delete(id, expecting: version)
    }

    @discardableResult
    public func transaction<Result>(_ body: (any PersistencyManager) async throws -> Result) async throws -> Result {
        try await base.transaction { try await body(decorating($0)) }
    }
}
