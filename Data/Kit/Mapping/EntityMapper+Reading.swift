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
