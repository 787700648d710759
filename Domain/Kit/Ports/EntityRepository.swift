/// Stores the entities of one type. A repository of the domain adds its queries.
///
/// A conforming type provides ``manager``; extensions provide everything else.
public protocol EntityRepository<Model>: Sendable {
    /// The entity type.
    associatedtype Model: Entity

    /// The manager that performs all operations.
    var manager: any PersistencyManager { get }
}

extension EntityRepository {
    /// See ``PersistencyManager/requirePermission(for:_:of:)``.
    public func requirePermission(for action: Forbidden.Action, _ id: Model.ID? = nil) throws(PersistencyError) {
        try manager.requirePermission(for: action, id, of: Model.self)
    }

    /// See ``PersistencyManager/create(_:)``.
    @discardableResult
    public func create(_ entity: Model) async throws(PersistencyError) -> Stored<Model> {
        try await manager.create(entity)
    }

    /// See ``PersistencyManager/create(contentsOf:)``.
    @discardableResult
    public func create(contentsOf entities: [Model]) async throws(PersistencyError) -> [Stored<Model>] {
        try await manager.create(contentsOf: entities)
    }

    /// See ``PersistencyManager/read(_:)-(EntityID<E>)``.
    public func read(_ id: Model.ID) async throws(PersistencyError) -> Stored<Model>? {
        try await manager.read(id)
    }

    /// See ``PersistencyManager/require(_:)``.
    public func require(_ id: Model.ID) async throws(PersistencyError) -> Stored<Model> {
        try await manager.require(id)
    }

    /// See ``PersistencyManager/read(_:)-([EntityID<E>])``.
    public func read(_ ids: [Model.ID]) async throws(PersistencyError) -> [Stored<Model>] {
        try await manager.read(ids)
    }

    /// See ``PersistencyManager/read(_:)-(Query<E>)``.
    public func read(_ query: Query<Model> = Query()) async throws(PersistencyError) -> QueryPage<Model> {
        try await manager.read(query)
    }

    /// The committed changes of these entities after a position; see ``PersistencyManager/changes(after:)``. A commit
    /// without any is omitted. A removed reference is reported if these entities had it.
    public func changes(
        after token: ChangeToken? = nil
    ) async throws(PersistencyError) -> any AsyncSequence<ChangeEvent, Never> & Sendable {
        try await manager.changes(after: token).compactMapCommits { commit in
            commit.filtered {
                $0.reference.entity == Model.entityName
            } stale: {
                $0 == Model.entityName
            }
        }
    }

    /// See ``PersistencyManager/observe(_:)``.
    public func observe(
        _ query: Query<Model> = Query()
    ) async throws(PersistencyError) -> any AsyncSequence<QueryPage<Model>, PersistencyError> & Sendable {
        try await manager.observe(query)
    }

    /// See ``PersistencyManager/update(_:expecting:)``.
    @discardableResult
    public func update(_ entity: Model, expecting version: Int64? = nil) async throws(PersistencyError) -> Saved<Model>
    {
        try await manager.update(entity, expecting: version)
    }

    /// See ``PersistencyManager/change(_:_:)``.
    @discardableResult
    public func change(_ id: Model.ID, _ body: (inout Model) throws -> Void) async throws -> Saved<Model> {
        try await manager.change(id, body)
    }

    /// See ``PersistencyManager/save(_:)``.
    @discardableResult
    public func save(_ entity: Model) async throws(PersistencyError) -> Saved<Model> {
        try await manager.save(entity)
    }

    /// See ``PersistencyManager/save(contentsOf:)``.
    @discardableResult
    public func save(contentsOf entities: [Model]) async throws(PersistencyError) -> [Saved<Model>] {
        try await manager.save(contentsOf: entities)
    }

    /// See ``PersistencyManager/delete(_:expecting:)``.
    public func delete(_ id: Model.ID, expecting version: Int64? = nil) async throws(PersistencyError) {
        try await manager.delete(id, expecting: version)
    }
}
