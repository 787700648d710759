public import LarderDomain

// Reads that copy rows to storage objects, for units of work, files and tests.

extension Store {
    /// The root with this id and everything that it owns, or `nil`.
    public func read(_ id: RawID, of schema: EntitySchema) async throws(PersistencyError) -> StorageObject? {
        try await read([id], of: schema).first
    }

    /// The roots with these ids, in any order; see ``withRows(_:of:_:)``.
    public func read(_ ids: [RawID], of schema: EntitySchema) async throws(PersistencyError) -> [StorageObject] {
        if schema.searchList != nil {
            return try await read(ReadRequest(schema, where: .isIn(.id, Set(ids.map(Value.id))))).items
        }
        let found = Found<[StorageObject]>([])
        try await withRows(ids, of: schema) { (rows) throws(PersistencyError) in
            while try rows.next() { found.value.append(try rows.storageObject()) }
        }
        return found.value
    }

    /// A page of roots; see ``withRows(_:_:)``.
    public func read(_ request: ReadRequest) async throws(PersistencyError) -> ReadResult<StorageObject> {
        try await read(request) { object throws(PersistencyError) in object }
    }

    /// A page of roots, each transformed into an item where the store scans.
    public func read<Item: Sendable>(
        _ request: ReadRequest, transform: @escaping @Sendable (StorageObject) throws(PersistencyError) -> Item
    ) async throws(PersistencyError) -> ReadResult<Item> {
        var request = request
        if request.content == .rows { request.content = .complete }
        let found = Found<[Item]>([])
        let end = try await withRows(request) { (rows) throws(PersistencyError) in
            while try rows.next() { found.value.append(try transform(try rows.storageObject())) }
        }
        return ReadResult(items: found.value, next: end.next, total: end.total)
    }
}

extension Rows {
    /// Lends storage objects to the body of a read; for stores that keep them.
    public static func lend(_ objects: [StorageObject], to body: RowVisitor) throws(PersistencyError) {
        var rows = Rows(objects[...])
        try body(&rows)
    }
}

extension ReadResult<StorageObject> {
    /// Lends the page to the body of a read; for stores that keep storage objects.
    public func lend(to body: RowBody) throws(PersistencyError) -> PageEnd {
        try Rows.lend(items, to: body)
        return PageEnd(next: next, total: total)
    }
}
