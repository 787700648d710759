public import LarderDomain

// The typed half of reading: in the mapper's module, the loop over the rows of a page is compiled for its entity.

extension EntityMapper {
    /// Reads and maps.
    @inlinable
    public static func read(
        _ id: RawID, from store: any Store
    ) async throws(PersistencyError) -> Stored<Model>? {
        let found = Found<Stored<Model>?>(nil)
        try await store.withRows([id], of: mapping.schema) { (rows) throws(PersistencyError) in
            if try rows.next() { found.value = try stored(from: rows) }
        }
        return found.value
    }

    /// Reads and maps.
    @inlinable
    public static func read(
        _ ids: [RawID], from store: any Store
    ) async throws(PersistencyError) -> [Stored<Model>] {
        let found = Found<[Stored<Model>]>([])
        found.value.reserveCapacity(ids.count)
        try await store.withRows(ids, of: mapping.schema) { (rows) throws(PersistencyError) in
            while try rows.next() { found.value.append(try stored(from: rows)) }
        }
        return found.value
    }

    /// Reads and maps.
    @inlinable
    public static func read(
        _ request: ReadRequest, from store: any Store
    ) async throws(PersistencyError) -> ReadResult<Stored<Model>> {
        let found = Found<[Stored<Model>]>([])
        let end = try await store.withRows(request) { (rows) throws(PersistencyError) in
            while try rows.next() { found.value.append(try stored(from: rows)) }
        }
        return ReadResult(items: found.value, next: end.next, total: end.total)
    }

    /// Compares the columns of a flat entity with the cells; an entity of another kind is different.
    @inlinable
    public static func compare(
        _ entity: Model, in store: any Store
    ) async throws(PersistencyError) -> StoredMatch {
        let found = Found<StoredMatch>(.absent)
        let mapping = mapping
        try await store.withRows([entity.id.rawValue], of: mapping.schema) { (rows) throws(PersistencyError) in
            guard try rows.next() else { return }
            let isSame = mapping.isSame(entity, as: rows)
            found.value = isSame ? .same(version: rows.version) : .different(try rows.storageObject())
        }
        return found.value
    }
}

/// What an entity is compared with what is stored.
public enum StoredMatch: Sendable {
    /// Nothing is stored under the id.
    case absent
    /// The same is stored, at a version.
    case same(version: Int64)
    /// This is stored; it is different, or was not compared in place.
    case different(StorageObject)
}

/// What the body of a read finds.
///
/// `@unchecked Sendable`: a store calls the body of a read one call after the other, and returns after the last one
/// (``Store/withRows(_:_:)``). Only then is the value read.
@usableFromInline
final class Found<Value>: @unchecked Sendable {
    @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }
}
