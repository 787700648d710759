public import LarderDomain

extension StoreManager {
    /// Up to so many entities are read and mapped where the caller runs; more are mapped where the store scans.
    private static var shortRead: Int { 64 }

    public func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>? {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        // Short as it is, a point read would notice the lists that several need.
        guard cache != nil else {
            guard let object = try await store.read(id.rawValue, of: mapper.schema) else { return nil }
            return try mapper.stored(from: object)
        }
        return try await remembering([id], mapper) { () async throws(PersistencyError) in
            try await store.read(id.rawValue, of: mapper.schema).map { [$0] } ?? []
        }.first
    }

    public func read<E: Entity>(_ ids: [EntityID<E>]) async throws(PersistencyError) -> [Stored<E>] {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let found: [Stored<E>]
        if ids.count <= Self.shortRead {
            found = try await remembering(ids, mapper) { () async throws(PersistencyError) in
                try await store.read(ids.map(\.rawValue), of: mapper.schema)
            }
        } else {
            let request = ReadRequest(mapper.schema, where: .isIn(.id, ids.map { .id($0.rawValue) }))
            found = try await store.read(request) { object throws(PersistencyError) in
                try mapper.stored(from: object)
            }.items
        }
        if found.elementsEqual(ids, by: { $0.id == $1 }) { return found }
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    /// What is remembered of the entities with these ids, if it is all of them; else what the store reads now.
    private func remembering<E: Entity>(
        _ ids: [EntityID<E>], _ mapper: MapperBox<E>, _ read: () async throws(PersistencyError) -> [StorageObject]
    ) async throws(PersistencyError) -> [Stored<E>] {
        guard let cache else { return try mapper.allStored(from: try await read()) }
        let keys = ids.map { EntityKey(mapper.schema, $0.rawValue) }
        switch cache.entities(keys, of: E.self) {
        case .all(let found): return found
        case .missing(let moment):
            let objects = try await read()
            let found = try mapper.allStored(from: objects)
            cache.keep(found, bytes: objects.map(\.memoryByteCount), of: mapper.schema, readAt: moment)
            return found
        }
    }

    public func read<E: Entity>(_ query: Query<E>) async throws(PersistencyError) -> Page<E> {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let request = try await ReadRequest(query, mapper.mapping).continued(after: query.after) {
            (request) throws(PersistencyError) in try await store.read(request)
        }
        let result = try await store.read(request) { object throws(PersistencyError) in
            try mapper.stored(from: object)
        }
        return Page(result, of: request)
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

extension MapperBox {
    fileprivate func allStored(from objects: [StorageObject]) throws(PersistencyError) -> [Stored<E>] {
        var mapped: [Stored<E>] = []
        mapped.reserveCapacity(objects.count)
        for object in objects { mapped.append(try stored(from: object)) }
        return mapped
    }
}
