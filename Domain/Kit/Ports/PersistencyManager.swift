/// Persistence of entities: the only port through which the domain accesses a store.
///
/// Each call is one commit [manager.1]; ``transaction(_:)`` combines calls into one. An entity is stored and deleted
/// together with the objects that it owns (an aggregate) [manager.2]. Owned objects have no version.
///
/// The body of a transaction must use only the manager that it receives; any other manager of the same store throws
/// ``PersistencyError/outsideTransaction(_:)`` there [manager.3].
public protocol PersistencyManager: Sendable {
    /// Whether this is the manager of a transaction [manager.4]. It returns changed entities with the version that they
    /// will have if the change remains [manager.5], and accepts that version and the stored one [manager.7]. It is no
    /// entity tag before the commit.
    var isInTransaction: Bool { get }

    /// Refuses an action that the caller may perform on no entity of a type, before an entity is known: for example
    /// before the body of a request is read. Each operation nevertheless decides about its entity.
    ///
    /// The default refuses nothing, as a manager without access control does [manager.6].
    ///
    /// - Parameters:
    ///   - action: The kind of action.
    ///   - id: The entity that the refusal names; `nil` for a new one. It is not read.
    ///   - type: The type of the entity.
    /// - Throws: `forbidden`.
    func requirePermission<E: Entity>(
        for action: Forbidden.Action, _ id: EntityID<E>?, of type: E.Type
    ) throws(PersistencyError)

    /// Stores a new entity at version 1 [create.1].
    ///
    /// - Returns: The entity as a read returns it [create.2], which may differ from the argument (normalized text).
    /// - Throws: `duplicate` for an id or unique value that is already stored [create.3]; `dangling` for a reference
    ///   without a target [create.4]; `invalid` for a value that no store accepts [create.5].
    @discardableResult
    func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E>

    /// Stores new entities atomically: in one commit [create.6] or, inside a transaction, in one completely planned
    /// step [create.7].
    ///
    /// The default creates them one by one in a transaction.
    ///
    /// - Returns: The result of ``create(_:)`` for each entity, in the same order [create.8].
    /// - Throws: As ``create(_:)``; `duplicate` for a repeated id [create.9]; `unavailable` (`tooLarge`) for a batch
    ///   above the size limit of a commit [create.10].
    @discardableResult
    func create<E: Entity>(contentsOf entities: [E]) async throws(PersistencyError) -> [Stored<E>]

    /// The entity with this id, or `nil` [read.1]; in a transaction, the commit fails if a missing entity was created
    /// since [read.2].
    func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>?

    /// The entities with these ids [read.3], in the order of the ids [read.4]; ids without an entity are omitted
    /// [read.5].
    ///
    /// The number of statements is proportional to the number of types in the aggregate, not to the number of ids
    /// [read.6].
    func read<E: Entity>(_ ids: [EntityID<E>]) async throws(PersistencyError) -> [Stored<E>]

    /// One page of the entities that match a query [query.1]; its cursors continue the list in both directions
    /// [query.6], also after the store is opened again [query.2].
    ///
    /// - Throws: `unsupportedQuery` if the query cannot be answered exactly [query.3]; there are no approximate
    ///   answers. A query does not accept the cursor of another query [query.4].
    func read<E: Entity>(_ query: Query<E>) async throws(PersistencyError) -> QueryPage<E>

    /// The number of entities that match a query, by the value of a property [tally.1] or by each member of a
    /// relationship [tally.2].
    ///
    /// An entity with a `nil` property or an empty relationship is in no group [tally.3]. The query's order and page
    /// are ignored [tally.4].
    func counts<E: Entity, Key: Hashable & Sendable>(
        _ query: Query<E>, by grouping: Grouping<E, Key>
    ) async throws(PersistencyError) -> [Key: Int]

    /// One page of read models of the entities that match a query [query.5]. The query's limit of bytes is ignored.
    ///
    /// A guarded manager reads those of entities that the caller may see. In a transaction, whole entities are read, and
    /// the commit checks their versions.
    ///
    /// The default throws `unsupportedQuery`, for managers without read models.
    ///
    /// - Throws: `unsupportedQuery` as for entities; also for a read model that the manager does not know.
    func read<Model: ReadModel>(
        _ query: Query<Model.Source>, as model: Model.Type
    ) async throws(PersistencyError) -> ReadModelPage<Model>

    /// Figures of the entities that match a query, for each group of them; see
    /// ``aggregates(_:by:of:sortedBy:limit:)``, which callers use.
    ///
    /// The default throws `unsupportedQuery`, for managers without aggregates.
    func aggregates<E: Entity>(
        _ query: Query<E>, _ aggregation: Aggregation<E>
    ) async throws(PersistencyError) -> [AggregateGroup]

    /// The committed changes after a position, by any writer, in commit order, each once [follow.1]; see
    /// ``ChangeEvent``.
    ///
    /// A change has no content; an entity is read by its id. With a journal, the stream starts after any token of the
    /// store's lifetime [follow.2]. It ends when the store is closed [follow.3] or the task is cancelled [follow.4]. A
    /// slow reader delays no commit [follow.5].
    ///
    /// - Parameter token: The position; `nil` for the last commit before the call [follow.6].
    /// - Throws: `unsupportedQuery` in a transaction, whose changes are not committed [follow.7].
    func changes(
        after token: ChangeToken?
    ) async throws(PersistencyError) -> any AsyncSequence<ChangeEvent, Never> & Sendable

    /// The page of a query as stored now, and again after each commit, by any writer, that changes it [live.1].
    ///
    /// A new page differs from the previous one in an entity, a version, the order, the total, or the presence of a
    /// next page [live.2]. Pages of commits in quick succession are omitted, except the last one [live.3]. The sequence
    /// ends when the store is closed [live.4] or the task is cancelled [live.5]. An error of a read, or of a store that
    /// cannot be followed any more, ends it, too [live.6].
    ///
    /// - Complexity: For a commit of other entities, O(1) [live.7]. For a commit of entities of this type, one read by
    ///   id. If the commit can change the page, one read of the query; these reads take at most 3 % of the time, or one
    ///   is made in each second [live.8]. The sequence keeps one page in memory.
    /// - Throws: As ``read(_:)-(Query<E>)``; `unsupportedQuery` in a transaction [live.9].
    func observe<E: Entity>(
        _ query: Query<E>
    ) async throws(PersistencyError) -> any AsyncSequence<QueryPage<E>, PersistencyError> & Sendable

    /// Whether a commit in doubt is stored: the answer to ``PersistencyError/inDoubt(_:_:)``, which names its id
    /// [doubt.1].
    ///
    /// The default is `unknown`, for managers that cannot ask a store.
    ///
    /// - Throws: `unavailable` while the store cannot be reached [doubt.2].
    func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome

    /// Replaces a stored entity [update.1]. Writes only the values that differ [update.2], and nothing if none does
    /// [update.3].
    ///
    /// - Parameters:
    ///   - entity: The entity with its new values.
    ///   - version: The version that the change is based on; `nil` replaces any version [update.4].
    /// - Throws: `notFound` if the entity is not stored [update.5]; `conflict` if it is stored at another version
    ///   [update.6].
    @discardableResult
    func update<E: Entity>(_ entity: E, expecting version: Int64?) async throws(PersistencyError) -> Saved<E>

    /// Changes a stored entity: the body receives it as stored, and the differences are written as by
    /// ``update(_:expecting:)`` [change.1], in the commit of the transaction if there is one [change.2].
    ///
    /// If another commit changes the entity meanwhile, the body runs again on its new state [change.3], a bounded number
    /// of times [change.4], so it must have no side effects.
    ///
    /// The default reads and updates the entity.
    ///
    /// - Throws: `notFound` if the entity is not stored [change.5]; an error of the body unchanged, without an effect
    ///   [change.6]; `invalid` if the body replaces the id [change.7]; `conflict` after the last failed attempt
    ///   [change.8]; errors of an update.
    @discardableResult
    func change<E: Entity>(_ id: EntityID<E>, _ body: (inout E) throws -> Void) async throws -> Saved<E>

    /// Creates or replaces an entity, and returns which [save.1]; the last writer wins [save.2]. Writes only values
    /// that differ [save.3]; none if all are equal [save.4].
    @discardableResult
    func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E>

    /// The stored entities with equal unique values, for ``save(_:by:)``. By default throws `unsupportedQuery`.
    func twins<E: Entity>(
        of entities: [E], by keys: [any PartialKeyPath<E> & Sendable]
    ) async throws(PersistencyError) -> [Stored<E>?]

    /// Changes all entities that match a query, in one commit [bulk.1], without reading them.
    ///
    /// Only entities whose values differ are written [bulk.2]; the version of each rises by one [bulk.3]. A property that is
    /// `nil` remains so when an amount is added [bulk.4]. Unique values and references are judged after all changes
    /// [bulk.5]. Streams have one element with the number of entities, and without their ids [bulk.6]; a store that was
    /// opened again may name them instead [bulk.13].
    ///
    /// The mapping declares which values of a property are valid: the checks of the entity are not called. A limit, a cursor,
    /// an order and a total of the query are refused [bulk.7], and so is an update in a transaction [bulk.8].
    ///
    /// - Returns: The number of changed entities [bulk.9].
    /// - Throws: `unsupportedQuery` with the name of a property that is not settable [bulk.10]; `invalid` if a value or a sum is
    ///   not valid [bulk.11]; `dangling`, and `duplicate` with one of the entities that would be equal. Nothing is changed
    ///   then [bulk.12].
    @discardableResult
    func update<E: Entity>(
        matching query: Query<E>, _ update: BulkUpdate<E>
    ) async throws(PersistencyError) -> Int

    /// Deletes an entity with the objects that it owns [delete.1]; delete rules of schemas apply to references to it
    /// [delete.2]. References that a rule removes are removed without a read of the entities that have them [delete.9].
    ///
    /// - Parameters:
    ///   - id: The id of the entity.
    ///   - version: The version that the decision is based on; `nil` deletes any version [delete.3].
    /// - Throws: `notFound` if the entity is not stored [delete.4]; `conflict` at another version [delete.5]; `refused`
    ///   by a delete rule [delete.6].
    func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError)

    /// Deletes the entities of one page of a query, in one commit [delete.7].
    ///
    /// The default reads the page in a transaction, and deletes its entities one by one. A manager of a
    /// store may delete entities without reading their contents.
    ///
    /// - Returns: The number of deleted entities [delete.8].
    /// - Throws: As ``read(_:)-(Query<E>)`` and ``delete(_:expecting:)``.
    @discardableResult
    func delete<E: Entity>(matching query: Query<E>) async throws(PersistencyError) -> Int

    /// Runs a body whose reads and changes become one commit when it returns [transaction.1], and are discarded when it
    /// throws [transaction.2]. The reads see the changes of the body [transaction.3]; others do not see them before the
    /// commit [transaction.4]. A body may use its manager in several tasks [transaction.5]. If nothing changes, there
    /// is no commit [transaction.6].
    ///
    /// Concurrency control is optimistic, without locks. The commit requires that every entity that the body read or
    /// wrote still has the same version [transaction.7]. Otherwise the body runs again [transaction.8], a bounded
    /// number of times [transaction.9], so it must have no external side effects. Two things are not checked: entities
    /// that match a query only since it ran, and counted entities. A decision based on these must change one entity
    /// that all such decisions share.
    ///
    /// A nested transaction of the same store joins the outer one [transaction.10]. When the inner body throws and the
    /// outer body catches the error, the inner changes are discarded [transaction.11]; the inner reads are still
    /// checked by the commit [transaction.12].
    ///
    /// Of entities that are only read, the contents of the last 16 MiB are kept, and the versions of all [transaction.16].
    ///
    /// - Throws: Errors of the body unchanged [transaction.13]; `conflict` after the last failed attempt
    ///   [transaction.14]; errors of the commit [transaction.15]; `unavailable` (`tooLarge`) after 1,000,000 entities
    ///   [transaction.17].
    @discardableResult
    func transaction<Result>(_ body: (any PersistencyManager) async throws -> Result) async throws -> Result
}

extension PersistencyManager {
    public func requirePermission<E: Entity>(
        for action: Forbidden.Action, _ id: EntityID<E>?, of type: E.Type
    ) throws(PersistencyError) {}

    /// `unknown`; the default for managers that cannot ask a store.
    public func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome { .unknown }

    /// Throws `unsupportedQuery`; the default for managers without read models.
    public func read<Model: ReadModel>(
        _ query: Query<Model.Source>, as model: Model.Type
    ) async throws(PersistencyError) -> ReadModelPage<Model> {
        throw .unsupportedQuery("read models of \(Model.Source.entityName)")
    }

    /// Throws `unsupportedQuery`; the default for managers without aggregates.
    public func aggregates<E: Entity>(
        _ query: Query<E>, _ aggregation: Aggregation<E>
    ) async throws(PersistencyError) -> [AggregateGroup] {
        throw .unsupportedQuery("aggregates of \(E.entityName)")
    }

    /// Reads by a list of one id; the default for managers without a faster way.
    public func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>? {
        try await read([id]).first
    }

    /// The entity with this id.
    ///
    /// - Throws: `notFound` if the entity is not stored [read.7].
    public func require<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E> {
        guard let stored = try await read(id) else { throw .notFound(EntityReference(id)) }
        return stored
    }

    /// Replaces a stored entity at any version.
    @discardableResult
    public func update<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        try await update(entity, expecting: nil)
    }

    /// The committed changes after the last commit; see ``changes(after:)``.
    public func changes() async throws(PersistencyError) -> any AsyncSequence<ChangeEvent, Never> & Sendable {
        try await changes(after: nil)
    }

    /// Deletes an entity at any version.
    public func delete<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) {
        try await delete(id, expecting: nil)
    }
}
