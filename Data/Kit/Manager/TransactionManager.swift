internal import LarderDomain

/// The manager that a transaction's body receives: all reads and writes use its unit of work.
struct TransactionManager: PersistencyManager {
    let unit: UnitOfWork
    let mappers: MapperSet
    /// The nested transaction whose body received the manager; `nil` for the outermost one.
    var nested: Int?

    var isInTransaction: Bool { true }

    func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        try await mappers.mapper(for: E.self).mapper.create(entity, in: unit, nested)
    }

    func read<E: Entity>(_ ids: [EntityID<E>]) async throws(PersistencyError) -> [Stored<E>] {
        let mapper = try mappers.mapper(for: E.self)
        return try await mapper.stored(from: try await unit.read(ids.map { $0.rawValue }, of: mapper.schema))
    }

    func read<E: Entity>(_ query: Query<E>) async throws(PersistencyError) -> QueryPage<E> {
        let mapper = try mappers.mapper(for: E.self)
        let reading = try await PageReading(query, mapper.mapping, mappers) { (request) throws(PersistencyError) in
            try await unit.read(request)
        }
        let result = try await unit.read(reading.request)
        let items = try await mapper.stored(from: result.items)
        return QueryPage(ReadResult(items: items, next: result.next, total: result.total), of: reading)
    }

    func counts<E: Entity, Key: Hashable & Sendable>(
        _ query: Query<E>, by grouping: Grouping<E, Key>
    ) async throws(PersistencyError) -> [Key: Int] {
        let mapping = try mappers.mapper(for: E.self).mapping
        let request = try CountRequest(query, by: grouping, mapping, mappers)
        return try grouping.typed(try await unit.counts(request), mapping)
    }

    func read<Model: ReadModel>(
        _ query: Query<Model.Source>, as model: Model.Type
    ) async throws(PersistencyError) -> ReadModelPage<Model> {
        let box = try mappers.readModel(model)
        let reading = try await PageReading(query, box.source.mapping, mappers) { (request) throws(PersistencyError) in
            try await unit.read(request)
        }
        let result = try await unit.read(reading.request)
        var items: [Model] = []
        for root in result.items { items.append(try box.model(of: root)) }
        return ReadModelPage(ReadResult(items: items, next: result.next, total: result.total), of: reading)
    }

    func aggregates<E: Entity>(
        _ query: Query<E>, _ aggregation: Aggregation<E>
    ) async throws(PersistencyError) -> [AggregateGroup] {
        let mapping = try mappers.mapper(for: E.self).mapping
        return try aggregation.typed(try await unit.aggregates(aggregation.request(query, mapping, mappers)), mapping)
    }

    func changes(
        after token: ChangeToken?
    ) async throws(PersistencyError) -> any AsyncSequence<ChangeEvent, Never> & Sendable {
        throw .unsupportedQuery("a stream of changes in a transaction")
    }

    func observe<E: Entity>(
        _ query: Query<E>
    ) async throws(PersistencyError) -> any AsyncSequence<QueryPage<E>, PersistencyError> & Sendable {
        throw .unsupportedQuery("a live query in a transaction")
    }

    /// Of another commit: that of the transaction has not begun.
    func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        try await unit.store.outcome(of: id)
    }

    func update<E: Entity>(_ entity: E, expecting version: Int64?) async throws(PersistencyError) -> Saved<E> {
        let mapper = try mappers.mapper(for: E.self)
        do {
            let (object, kept) = try mapper.mapper.encoded(entity)
            let outcome = try await unit.update(object, expecting: version, in: nested)
            return Saved(outcome, Stored(kept, version: unit.version(of: object)))
        } catch .conflict(var conflict) {
            conflict.mine = entity
            conflict.theirs = try await unit.read(entity.id.rawValue, of: mapper.schema).map(mapper.anyEntity)
            throw .conflict(conflict)
        }
    }

    func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        let (object, kept) = try mappers.mapper(for: E.self).mapper.encoded(entity)
        let outcome = try await unit.save(object, in: nested)
        return Saved(outcome, Stored(kept, version: unit.version(of: object)))
    }

    /// Refused: of this and the unit's other changes of an entity, none would be the first.
    func update<E: Entity>(
        matching query: Query<E>, _ update: BulkUpdate<E>
    ) async throws(PersistencyError) -> Int {
        throw .unsupportedQuery("an update of \(E.entityName) by query in a transaction")
    }

    func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        let mapper = try mappers.mapper(for: E.self)
        do {
            try await unit.delete(EntityKey(mapper.schema, id.rawValue), expecting: version, in: nested)
        } catch .conflict(var conflict) {
            // A conflict found while computing the cascading effects may concern another root.
            if conflict.reference == EntityReference(id) {
                conflict.theirs = try await unit.read(id.rawValue, of: mapper.schema).map(mapper.anyEntity)
            }
            throw .conflict(conflict)
        }
    }

    /// Joins the enclosing transaction: there is one commit, at the end of the outermost. If the body throws, its
    /// changes are discarded, and its reads remain expectations of the commit.
    func transaction<Result>(_ body: (any PersistencyManager) async throws -> Result) async throws -> Result {
        try await join(body)
    }

    func join<Result>(_ body: (TransactionManager) async throws -> Result) async throws -> Result {
        let number = try unit.whileOpen { $0.beginNested(in: nested) }
        var inner = self
        inner.nested = number
        do {
            let result = try await RunningUnits.enter(inner, body)
            unit.locked { $0.endNested(number) }
            return result
        } catch {
            unit.locked { $0.discardNested(number) }
            throw error
        }
    }
}
