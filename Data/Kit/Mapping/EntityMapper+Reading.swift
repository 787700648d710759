public import LarderDomain

// The typed half of reading: the loop over a page's rows is specialized for the entity in the mapper's module.

extension EntityMapper {
    @inlinable @inline(__always)
    public static func read(
        _ id: RawID, from store: any Store
    ) async throws(PersistencyError) -> Stored<Model>? {
        var found: Stored<Model>?
        let answer = try store.lendAtOnce(id, of: mapping.schema) { (rows) throws(PersistencyError) in
            if try rows.next() { found = try stored(from: rows) }
        }
        if answer == .declined { return try await read([id], from: store).first }
        if answer == .lentLast { await Task.yield() }
        return found
    }

    @inlinable
    public static func read(
        _ ids: [RawID], from store: any Store
    ) async throws(PersistencyError) -> [Stored<Model>] {
        let found = Found<[Stored<Model>]>([])
        found.value.reserveCapacity(ids.count)
        try await store.withRows(ids, of: mapping.schema) { (rows) throws(PersistencyError) in
            try found.add { (items) throws(PersistencyError) in
                while try rows.next() { items.append(try stored(from: rows)) }
            }
        }
        return found.value
    }

    @inlinable
    public static func read(
        _ request: ReadRequest, from store: any Store
    ) async throws(PersistencyError) -> ReadResult<Stored<Model>> {
        let found = Found<[Stored<Model>]>([])
        let end = try await store.withRows(request) { (rows) throws(PersistencyError) in
            try found.add { (items) throws(PersistencyError) in
                while try rows.next() { items.append(try stored(from: rows)) }
            }
        }
        return ReadResult(items: found.value, next: end.next, total: end.total)
    }
}

/// The result of a read's body.
///
/// `@unchecked Sendable`: a store makes the calls of a read's body one after the other, and returns after the last one
/// (``Store/withRows(_:_:)``). The value is read only after that.
@usableFromInline
final class Found<Value>: @unchecked Sendable {
    @usableFromInline var value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }

    /// Changes a list as a local variable, without a check of exclusive access for each element.
    @inlinable @inline(__always)
    func add<Element>(
        _ body: (inout [Element]) throws(PersistencyError) -> Void
    ) throws(PersistencyError) where Value == [Element] {
        var items = value
        value = []
        defer { value = items }
        try body(&items)
    }
}
