/// Keeps entities: the one port through which the domain reaches whatever stores them.
///
/// Each call is one commit of its own; ``transaction(_:)`` makes many calls one. An entity comes and goes with all that
/// it owns (an aggregate), and owned objects have no version of their own.
///
/// Inside a transaction's body only the manager that the body received may be used; any other manager of the same store
/// throws ``PersistencyError/outsideTransaction(_:)`` there.
public protocol PersistencyManager: Sendable {
    /// Whether a transaction's body received this manager. Then versions of changed entities are those before the commit.
    var isInTransaction: Bool { get }

    /// Stores a new entity at version 1.
    ///
    /// - Returns: The entity as a read gives it, where that differs from what was handed in (text in another form).
    /// - Throws: `duplicate` when its id, or a value that is unique, is stored already; `dangling` when it refers to
    ///   something that is not there; `invalid` for a value that no store keeps.
    @discardableResult
    func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E>

    /// Stores new entities: in one commit, or, inside a transaction, in one step that is planned as a whole or not at all.
    ///
    /// The default creates them one by one in a transaction.
    ///
    /// - Returns: What ``create(_:)`` returns for each entity, in their order.
    /// - Throws: As ``create(_:)``, also `duplicate` for an id that occurs twice; `unavailable` (`tooLarge`) for more
    ///   than a commit may contain.
    @discardableResult
    func create<E: Entity>(contentsOf entities: [E]) async throws(PersistencyError) -> [Stored<E>]

    /// The entity with this id, or `nil`. Inside a transaction `nil` is an expectation too: the commit fails if it came.
    func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>?

    /// The entities with these ids, in the order of the ids; ids that name nothing are left out.
    ///
    /// Costs a number of statements in proportion to the types within the aggregate, not to the ids.
    func read<E: Entity>(_ ids: [EntityID<E>]) async throws(PersistencyError) -> [Stored<E>]

    /// One page of the entities that a query asks for.
    ///
    /// - Throws: `unsupportedQuery` when the query cannot be answered exactly; it is never answered wrongly.
    func read<E: Entity>(_ query: Query<E>) async throws(PersistencyError) -> Page<E>

    /// How many entities match a query, by the value of a property or by each member of a relationship.
    ///
    /// An entity whose property is `nil`, or whose relationship is empty, is in no group. The query's order and page do
    /// not matter.
    func counts<E: Entity, Key: Hashable & Sendable>(
        _ query: Query<E>, by grouping: Grouping<E, Key>
    ) async throws(PersistencyError) -> [Key: Int]

    /// Replaces an entity that is stored; writes only the values that differ, and nothing if none does.
    ///
    /// - Parameter version: The version that the change is based on; `nil` replaces whichever is stored.
    /// - Throws: `notFound` when it is not stored; `conflict` when it is stored at another version.
    @discardableResult
    func update<E: Entity>(_ entity: E, expecting version: Int64?) async throws(PersistencyError) -> Saved<E>

    /// Creates or replaces an entity: the last writer wins. Writes only the values that differ, and nothing if none does.
    @discardableResult
    func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E>

    /// Deletes an entity with all that it owns; what happens to those that refer to it is their schema's rule.
    ///
    /// - Parameter version: The version that the decision is based on; `nil` deletes whichever is stored.
    /// - Throws: `notFound` when it is not stored; `conflict` at another version; `refused` when a rule forbids it.
    func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError)

    /// Runs a body whose reads and changes become one commit when it returns, or none at all when it throws.
    ///
    /// It holds no lock. At the end everything that the body read or wrote must still have the version that it saw; if
    /// not, the body runs again, a bounded number of times, so it must have no effect outside. Two things are not
    /// checked: entities that a query would match now and did not then, and those behind a count. Where a decision
    /// rests on them, read (or change) one entity that all such decisions share.
    ///
    /// A transaction inside a transaction of the same store joins it. When the inner body throws and the outer one catches
    /// the error, the inner changes are discarded; the inner reads stay part of what is checked at the end.
    ///
    /// - Throws: The body's own errors as they are; `conflict` when every attempt lost; what a commit throws.
    @discardableResult
    func transaction<Result>(_ body: (any PersistencyManager) async throws -> Result) async throws -> Result
}

extension PersistencyManager {
    /// Reads many and takes the one; for managers that know no shorter way.
    public func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>? {
        try await read([id]).first
    }

    /// The entity with this id.
    ///
    /// - Throws: `notFound` when it is not stored.
    public func require<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E> {
        guard let stored = try await read(id) else { throw .notFound(EntityReference(id)) }
        return stored
    }

    /// Replaces an entity that is stored, at whichever version.
    @discardableResult
    public func update<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        try await update(entity, expecting: nil)
    }

    /// Deletes an entity at whichever version.
    public func delete<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) {
        try await delete(id, expecting: nil)
    }
}
