public import LarderDomain

extension StoreManager {
    /// Up to so many entities are read and mapped where the caller runs; more are mapped where the store scans.
    private static var shortRead: Int { 64 }

    public func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>? {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        guard cache == nil else { return try await remembering([id], mapper).first }
        return try await mapper.mapper.read(id.rawValue, from: store)
    }

    public func read<E: Entity>(_ ids: [EntityID<E>]) async throws(PersistencyError) -> [Stored<E>] {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let found: [Stored<E>]
        if ids.count <= Self.shortRead {
            found = try await remembering(ids, mapper)
        } else {
            let request = ReadRequest(mapper.schema, where: .isIn(.id, Set(ids.map { .id($0.rawValue) })))
            found = try await mapper.mapper.read(request, from: store).items
        }
        if found.elementsEqual(ids, by: { $0.id == $1 }) { return found }
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    /// What is remembered of the entities with these ids, if it is all of them; else what the store reads now.
    private func remembering<E: Entity>(
        _ ids: [EntityID<E>], _ mapper: MapperBox<E>
    ) async throws(PersistencyError) -> [Stored<E>] {
        let rawIDs = ids.map(\.rawValue)
        guard let cache else { return try await mapper.mapper.read(rawIDs, from: store) }
        switch cache.entities(rawIDs.map { EntityKey(mapper.schema, $0) }, of: E.self) {
        case .all(let found): return found
        case .missing(let moment):
            let found = Found<[(stored: Stored<E>, bytes: Int)]>([])
            try await store.withRows(rawIDs, of: mapper.schema) { (rows) throws(PersistencyError) in
                while try rows.next() {
                    found.value.append((try mapper.mapper.stored(from: rows), try rows.storageObject().memoryByteCount))
                }
            }
            let entities = found.value.map(\.stored)
            cache.keep(entities, bytes: found.value.map(\.bytes), of: mapper.schema, readAt: moment)
            return entities
        }
    }

    public func read<E: Entity>(_ query: Query<E>) async throws(PersistencyError) -> Page<E> {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let request = try await ReadRequest(query, mapper.mapping).continued(after: query.after) {
            (request) throws(PersistencyError) in try await store.read(request)
        }
        return Page(try await mapper.mapper.read(request, from: store), of: request)
    }

    public func counts<E: Entity, Key: Hashable & Sendable>(
        _ query: Query<E>, by grouping: Grouping<E, Key>
    ) async throws(PersistencyError) -> [Key: Int] {
        try checkOutside()
        let request = try CountRequest(query, by: grouping, try mappers.mapper(for: E.self).mapping)
        return try grouping.typed(try await store.counts(request))
    }
}

extension Page {
    /// The page that a store answered a request with.
    init(_ result: ReadResult<Stored<E>>, of request: ReadRequest) {
        self.init(items: result.items, next: result.next.map { Cursor($0, in: request) }, total: result.total)
    }
}
