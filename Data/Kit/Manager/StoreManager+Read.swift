public import LarderDomain

extension StoreManager {
    /// Up to so many entities are read and mapped where the caller runs; more are mapped where the store scans.
    private static var shortRead: Int { 64 }

    public func read<E: Entity>(_ id: EntityID<E>) async throws(PersistencyError) -> Stored<E>? {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        guard let object = try await store.read(id.rawValue, of: mapper.schema) else { return nil }
        return try mapper.stored(from: object)
    }

    public func read<E: Entity>(_ ids: [EntityID<E>]) async throws(PersistencyError) -> [Stored<E>] {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let found: [Stored<E>]
        if ids.count <= Self.shortRead {
            var mapped: [Stored<E>] = []
            for object in try await store.read(ids.map(\.rawValue), of: mapper.schema) {
                mapped.append(try mapper.stored(from: object))
            }
            found = mapped
        } else {
            let request = ReadRequest(mapper.schema, where: .isIn(.id, ids.map { .id($0.rawValue) }))
            found = try await store.read(request) { object throws(PersistencyError) in
                try mapper.stored(from: object)
            }.items
        }
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    public func read<E: Entity>(_ query: Query<E>) async throws(PersistencyError) -> Page<E> {
        try checkOutside()
        let mapper = try mappers.mapper(for: E.self)
        let request = try ReadRequest(query, mapper.mapping)
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
