public import LarderDomain

extension StoreManager {
    /// Up to this number, entities are read and mapped where the caller runs; more are mapped where the store scans.
    private static var shortRead: Int { 64 }

    @inline(__always)
    public func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>? {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        if let cache { return try await read(id.rawValue, mapper, through: cache) }
        return try await mapper.mapper.read(id.rawValue, from: store)
    }

    /// Not inlined, so that a read without a cache stays small.
    @inline(never)
    private func read<E: Entity>(
        _ id: RawID, _ mapper: MapperBox<E>, through cache: EntityCache
    ) async throws(PersistencyError) -> Stored<E>? {
        let (found, epoch) = cache.entity(EntityKey(mapper.schema, id), of: E.self)
        cache.onLookup(found != nil)
        if let found { return found }
        return try await read([id], mapper, into: cache, at: epoch).first?.stored
    }

    public func read<E: Entity>(_ ids: [EntityID<E>]) async throws(PersistencyError) -> [Stored<E>] {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let found: [Stored<E>]
        if ids.count <= Self.shortRead, consistency.preference == .primary {
            found = try await remembering(ids, mapper)
        } else {
            let isWanted = Condition.isIn(.id, Set(ids.map { .id($0.rawValue) }))
            let request = ReadRequest(mapper.schema, where: isWanted, consistency: consistency)
            found = try await mapper.mapper.read(request, from: store).items
        }
        if found.elementsEqual(ids, by: { $0.id == $1 }) { return found }
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    /// The cached entities with these ids if all are cached, otherwise the stored ones.
    private func remembering<E: Entity>(
        _ ids: [EntityID<E>], _ mapper: MapperBox<E>
    ) async throws(PersistencyError) -> [Stored<E>] {
        let rawIDs = ids.map { $0.rawValue }
        guard let cache else { return try await mapper.mapper.read(rawIDs, from: store) }
        let (cached, _, epoch) = cache.entities(rawIDs.map { EntityKey(mapper.schema, $0) }, of: E.self)
        var found: [Stored<E>] = []
        found.reserveCapacity(ids.count)
        for case let stored? in cached { found.append(stored) }
        cache.onLookup(found.count == ids.count)
        if found.count == ids.count { return found }
        return try await read(rawIDs, mapper, into: cache, at: epoch).map { $0.stored }
    }

    private func read<E: Entity>(
        _ ids: [RawID], _ mapper: MapperBox<E>, into cache: EntityCache, at epoch: EntityCache.Epoch
    ) async throws(PersistencyError) -> [(stored: Stored<E>, bytes: Int)] {
        let found = Found<[(stored: Stored<E>, bytes: Int)]>([])
        try await store.withRows(ids, of: mapper.schema) { (rows) throws(PersistencyError) in
            while try rows.next() {
                found.value.append((try mapper.mapper.stored(from: rows), try rows.storageObject().memoryByteCount))
            }
        }
        cache.keep(
            found.value.map { $0.stored }, bytes: found.value.map { $0.bytes }, of: mapper.schema, readAt: epoch)
        return found.value
    }

    public func read<E: Entity>(_ query: Query<E>) async throws(PersistencyError) -> QueryPage<E> {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        var reading = try await pageReading(query, mapper)
        reading.request.consistency = consistency
        let answerable = try await store.answerable(reading.request)
        if let page = try await filledPage(answerable, mapper) { return QueryPage(page, of: reading) }
        return QueryPage(try await mapper.mapper.read(answerable, from: store), of: reading)
    }

    func pageReading<E: Entity>(
        _ query: Query<E>, _ mapper: MapperBox<E>
    ) async throws(PersistencyError) -> PageReading {
        var reading = try await PageReading(query, mapper.mapping, mappers) { (request) throws(PersistencyError) in
            try await store.read(store.answerable(request))
        }
        reading.request.byteLimit = query.byteLimit
        return reading
    }

    /// A short page of aggregates: reads ids, versions and the total in one snapshot, and rows only of the entities
    /// that are not cached at their versions.
    ///
    /// - Returns: `nil` for other pages, if a concurrent commit changed an entity on the page, and after concurrent
    ///   deletions: an entity that is deleted and created again repeats its versions.
    private func filledPage<E: Entity>(
        _ request: ReadRequest, _ mapper: MapperBox<E>
    ) async throws(PersistencyError) -> ReadResult<Stored<E>>? {
        // A flat row without blobs costs no more than its version.
        let isLight = mapper.schema.isFlat && !mapper.schema.hasBlobs
        guard let cache, let lives = cache.livesEpoch, request.limit ?? .max <= Self.shortRead, !isLight else {
            return nil
        }
        var versions = request
        versions.content = .versions
        let (roots, end) = try await roots(versions)
        var entities: [RawID: Stored<E>] = [:]
        let cached = cache.entities(roots.map(\.key), of: E.self)
        for case let stored? in cached.found { entities[stored.id.rawValue] = stored }
        let missing = roots.filter { entities[$0.key.id]?.version != $0.version }.map(\.key.id)
        // With a limit of bytes, in pieces: if they exceed it, the store finds the end of the page.
        let piece = request.byteLimit == nil ? missing.count : RowBuffer.pagePiece
        var bytes = (request.byteLimit ?? .max) - cached.bytes
        for first in stride(from: 0, to: missing.count, by: max(piece, 1)) where bytes >= 0 {
            let read = try await read(Array(missing[first...].prefix(piece)), mapper, into: cache, at: cached.epoch)
            for (stored, size) in read {
                entities[stored.id.rawValue] = stored
                bytes -= size
            }
        }
        if bytes < 0 { return nil }
        let items = roots.compactMap { root in
            entities[root.key.id].flatMap { $0.version == root.version ? $0 : nil }
        }
        guard items.count == roots.count, cache.livesEpoch == lives else { return nil }
        return ReadResult(items: items, next: end.next, total: end.total)
    }

    /// The ids and versions of a page.
    func roots(_ request: ReadRequest) async throws(PersistencyError) -> (roots: [RootExpectation], end: PageEnd) {
        let roots = Found<[RootExpectation]>([])
        let end = try await store.withRows(request) { (rows) throws(PersistencyError) in
            while try rows.next() {
                roots.value.append(RootExpectation(EntityKey(request.schema, rows.id), version: rows.version))
            }
        }
        return (roots.value, end)
    }

    public func changes(
        after token: ChangeToken?
    ) async throws(PersistencyError) -> any AsyncSequence<ChangeEvent, Never> & Sendable {
        try checkOutside()
        return await store.changes(after: token)
    }

    public func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        try await store.outcome(of: id)
    }

    public func observe<E: Entity>(
        _ query: Query<E>
    ) async throws(PersistencyError) -> any AsyncSequence<QueryPage<E>, PersistencyError> & Sendable {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        if query.before != nil { throw .unsupportedQuery("a live query before a cursor") }
        let reading = try await pageReading(query, mapper)
        var request = reading.query
        request.byteLimit = nil
        return LiveQuery(
            store: store, mapper: mapper, request: request, previous: reading.previous, isSearch: query.search != nil,
            related: Set(request.condition.relatedSchemas.map(\.name)))
    }

    public func counts<E: Entity, Key: Hashable & Sendable>(
        _ query: Query<E>, by grouping: Grouping<E, Key>
    ) async throws(PersistencyError) -> [Key: Int] {
        try checkOutside()
        let mapping = try mappers.mapper(for: E.self).mapping
        var request = try CountRequest(query, by: grouping, mapping, mappers)
        request.consistency = consistency
        request.condition = try await store.answerable(request.condition, of: request.schema)
        return try grouping.typed(try await store.counts(request), mapping)
    }

    public func read<Model: ReadModel>(
        _ query: Query<Model.Source>, as model: Model.Type
    ) async throws(PersistencyError) -> ReadModelPage<Model> {
        try checkOutside()
        let box = try mappers.readModel(model)
        var reading = try await pageReading(query, box.source)
        (reading.request.consistency, reading.request.byteLimit) = (consistency, nil)
        var projected = try await store.answerable(reading.request)
        projected.projection = box.projection
        return ReadModelPage(try await box.mapper.read(projected, from: store), of: reading)
    }

    public func aggregates<E: Entity>(
        _ query: Query<E>, _ aggregation: Aggregation<E>
    ) async throws(PersistencyError) -> [AggregateGroup] {
        try checkOutside()
        let mapping = try mappers.mapper(for: E.self).mapping
        var request = try aggregation.request(query, mapping, mappers)
        request.consistency = consistency
        request.condition = try await store.answerable(request.condition, of: request.schema)
        return try aggregation.typed(try await store.aggregates(request), mapping)
    }
}

extension QueryPage {
    /// A store's answer to the request of a page.
    init(_ answer: ReadResult<Stored<E>>, of reading: PageReading) {
        let page = reading.page(answer)
        self.init(items: page.items, previous: page.previous, next: page.next, total: answer.total)
    }
}

extension ReadModelPage {
    /// A store's answer to the request of a page.
    init(_ answer: ReadResult<Model>, of reading: PageReading) {
        let page = reading.page(answer)
        self.init(items: page.items, previous: page.previous, next: page.next, total: answer.total)
    }
}
