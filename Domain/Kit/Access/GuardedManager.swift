/// A manager that enforces the policies of one caller on reads and writes.
///
/// A repository over a guarded manager is guarded completely, because the manager is its only access to the store. An
/// entity that the caller may not see is treated as not stored: reads omit it, changes throw `notFound`. The effects of
/// a delete by the delete rules of schemas are not checked. ``outcome(of:)`` is not restricted: the id of a commit is
/// known to its caller only, and tells nothing about entities.
public struct GuardedManager: ManagerDecorator {
    /// The manager without policies.
    public let base: any PersistencyManager
    let policies: PolicySet
    let retry: RetryPolicy

    /// Guards a manager and the managers of its transactions.
    ///
    /// - Parameter retry: The attempts at a change without an expected version.
    public init(_ base: any PersistencyManager, policies: PolicySet, retry: RetryPolicy = RetryPolicy()) {
        (self.base, self.policies, self.retry) = (base, policies, retry)
    }

    public func decorating(_ manager: any PersistencyManager) -> any PersistencyManager {
        GuardedManager(manager, policies: policies, retry: retry)
    }

    /// Asks the policy of the type; see ``AccessPolicy/mayCreateSome``. Deletes are judged for each entity only.
    public func requirePermission<E: Entity>(
        for action: Forbidden.Action, _ id: EntityID<E>?, of type: E.Type
    ) throws(PersistencyError) {
        let policy = try policies.policy(for: type)
        guard action != .creating || policy.mayCreateSome, action != .changing || policy.mayUpdateSome else {
            throw .forbidden(Forbidden(action, E.entityName, id?.rawValue))
        }
        try base.requirePermission(for: action, id, of: type)
    }

    @discardableResult
    public func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        guard try policies.policy(for: E.self).mayCreate(entity) else {
            throw .forbidden(Forbidden(.creating, E.entityName))
        }
        return try await base.create(entity)
    }

    public func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>? {
        let policy = try policies.policy(for: E.self)
        guard let found = try await base.read(id), policy.mayRead(found.entity) else { return nil }
        return found
    }

    public func read<E: Entity>(_ ids: [EntityID<E>]) async throws(PersistencyError) -> [Stored<E>] {
        let policy = try policies.policy(for: E.self)
        return try await base.read(ids).filter { policy.mayRead($0.entity) }
    }

    public func read<E: Entity>(_ query: Query<E>) async throws(PersistencyError) -> QueryPage<E> {
        try await base.read(try restricted(query))
    }

    public func counts<E: Entity, Key: Hashable & Sendable>(
        _ query: Query<E>, by grouping: Grouping<E, Key>
    ) async throws(PersistencyError) -> [Key: Int] {
        try await base.counts(try restricted(query), by: grouping)
    }

    public func read<Model: ReadModel>(
        _ query: Query<Model.Source>, as model: Model.Type
    ) async throws(PersistencyError) -> ReadModelPage<Model> {
        try await base.read(try restricted(query), as: model)
    }

    public func aggregates<E: Entity>(
        _ query: Query<E>, _ aggregation: Aggregation<E>
    ) async throws(PersistencyError) -> [AggregateGroup] {
        try await base.aggregates(try restricted(query), aggregation)
    }

    /// Only changes that the caller may follow; see ``AccessPolicy/mayFollow(_:)``.
    public func changes(
        after token: ChangeToken?
    ) async throws(PersistencyError) -> any AsyncSequence<ChangeEvent, Never> & Sendable {
        let following = policies.following
        return try await base.changes(after: token).compactMapCommits { following($0) }
    }

    public func observe<E: Entity>(
        _ query: Query<E>
    ) async throws(PersistencyError) -> any AsyncSequence<QueryPage<E>, PersistencyError> & Sendable {
        try await base.observe(try restricted(query))
    }

    @discardableResult
    public func update<E: Entity>(_ entity: E, expecting version: Int64?) async throws(PersistencyError) -> Saved<E> {
        let policy = try policies.policy(for: E.self)
        return try await judging(entity.id, expecting: version, mine: entity) {
            (old, version) async throws(PersistencyError) in
            guard let old else { throw .notFound(EntityReference(entity.id)) }
            guard policy.mayUpdate(old, to: entity) else {
                throw .forbidden(Forbidden(.changing, E.entityName, old.id.rawValue))
            }
            return try await base.update(entity, expecting: version)
        }
    }

    /// Checks the policies around the body, so that the entity is read once.
    @discardableResult
    public func change<E: Entity>(_ id: EntityID<E>, _ body: (inout E) throws -> Void) async throws -> Saved<E> {
        let policy = try policies.policy(for: E.self)
        return try await base.change(id) { entity in
            let old = entity
            guard policy.mayRead(old) else { throw PersistencyError.notFound(EntityReference(id)) }
            try body(&entity)
            guard policy.mayUpdate(old, to: entity) else {
                throw PersistencyError.forbidden(Forbidden(.changing, E.entityName, id.rawValue))
            }
        }
    }

    @discardableResult
    public func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        let policy = try policies.policy(for: E.self)
        return try await judging(entity.id, expecting: nil, mine: entity) {
            (old, version) async throws(PersistencyError) in
            guard let old else { return Saved(.inserted, try await create(entity)) }
            guard policy.mayUpdate(old, to: entity) else {
                throw .forbidden(Forbidden(.changing, E.entityName, old.id.rawValue))
            }
            return try await base.update(entity, expecting: version)
        }
    }

    /// Only entities that the caller may see: another one with the values is a duplicate.
    public func twins<E: Entity>(
        of entities: [E], by keys: [any PartialKeyPath<E> & Sendable]
    ) async throws(PersistencyError) -> [Stored<E>?] {
        let twins = try await base.twins(of: entities, by: keys)
        let visible = Set(try await read(twins.compactMap { $0?.id }).map(\.id))
        return twins.map { twin in twin.flatMap { visible.contains($0.id) ? $0 : nil } }
    }

    public func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        let policy = try policies.policy(for: E.self)
        try await judging(id, expecting: version, mine: nil) { (old, version) async throws(PersistencyError) in
            guard let old else { throw .notFound(EntityReference(id)) }
            guard policy.mayDelete(old) else { throw .forbidden(Forbidden(.deleting, E.entityName, id.rawValue)) }
            try await base.delete(id, expecting: version)
        }
    }

    func restricted<E: Entity>(_ query: Query<E>) throws(PersistencyError) -> Query<E> {
        var query = query
        query.predicates += try policies.policy(for: E.self).visible
        for index in query.related.indices { try restrict(&query.related[index].other) }
        return query
    }
}
