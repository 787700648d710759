#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Reads rows on one connection. The number of statements depends on the types in an aggregate, not on its rows.
struct PostgresReading {
    let connection: PostgresConnection

    /// Lends the roots with these ids, each once.
    func lend(_ ids: [RawID], _ plan: PostgresTable, to body: RowVisitor) throws(PersistencyError) {
        if ids.isEmpty { return }
        let (text, value): (String, Value) =
            ids.count == 1 ? (plan.readOne, .id(ids[0])) : (plan.readMany, .blob(PostgresArray.bytes(Set(ids))))
        if plan.schema.isFlat {
            var rows = Rows(try connection.run(text, [value]), of: plan.schema, limit: nil)
            return try body(&rows)
        }
        try lend(text, value, plan, &connection.rowBuffer, to: body)
    }

    private func lend(
        _ text: String, _ value: Value, _ plan: PostgresTable, _ buffer: inout RowBuffer, to body: RowVisitor
    ) throws(PersistencyError) {
        defer { buffer.removeAll() }
        let roots = try snapshot { () throws(PersistencyError) in
            try copy(connection.run(text, [value]), plan, content: .rows, to: &buffer)
        }
        if !roots.isEmpty { try buffer.lend(roots, of: plan.schema, to: body) }
    }

    /// A page of roots with everything that they own, within the running transaction.
    func objects(
        _ request: ReadRequest, _ plan: PostgresTable
    ) throws(PersistencyError) -> (objects: [StorageObject], next: Place?) {
        defer { connection.rowBuffer.removeAll() }
        let limit = request.limit ?? .max
        let result = try connection.run(SQLReads.page(request, plan.table, .postgres))
        let roots = try copy(result, plan, content: .complete, limit: limit, to: &connection.rowBuffer)
        let objects = try connection.rowBuffer.storageObjects(roots.prefix(limit), of: plan.schema)
        return (objects, roots.count > limit ? objects.last.map { Place(of: $0, in: request.order) } : nil)
    }

    /// Reads from one snapshot.
    func snapshot<Result>(_ body: () throws(PersistencyError) -> Result) throws(PersistencyError) -> Result {
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        do throws(PersistencyError) {
            let result = try body()
            try connection.execute("COMMIT")
            return result
        } catch {
            _ = try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// Copies roots, with owned objects and links.
    ///
    /// - Parameter limit: The maximum number of roots copied with owned objects and links; others are copied without.
    func copy(
        _ result: PostgresResult, _ plan: PostgresTable, content: ReadRequest.Content, limit: Int = .max,
        to buffer: inout RowBuffer
    ) throws(PersistencyError) -> Range<Int> {
        let columns = 2..<2 + plan.schema.columns.count
        while result.advance() {
            // Id, version, columns.
            unsafe buffer.append(
                try result.id(0), result.integer(1), lists: plan.listCount,
                UnsafeBufferPointer(rebasing: result.cells[columns]))
        }
        let roots = 0..<buffer.count
        try copyOwned(by: roots.prefix(limit), plan, content, to: &buffer)
        return roots
    }

    /// Copies the owned objects of rows, at any depth, and all links.
    private func copyOwned(
        by owners: Range<Int>, _ plan: PostgresTable, _ content: ReadRequest.Content, to buffer: inout RowBuffer
    ) throws(PersistencyError) {
        guard !owners.isEmpty, !plan.schema.isFlat else { return }
        let isOne = owners.count == 1
        let ids: Value =
            isOne ? .id(buffer.id(owners.lowerBound)) : .blob(PostgresArray.bytes(owners.map { buffer.id($0) }))
        for (index, link) in plan.links.enumerated() {
            // Owner's number, position, target.
            let result = try connection.run(isOne ? link.readOne : link.read, [ids])
            _ = try copy(result, (0, 1, 2), owners, list: plan.children.count + index, to: &buffer)
        }
        for (index, child) in plan.children.enumerated() where content == .complete || !child.schema.isDerived {
            // Owner's number, id, owner's id, position, columns.
            let result = try connection.run(isOne ? child.readOwnedByOne : child.readOwned, [ids])
            let rows = try copy(result, (0, 3, 1), owners, list: index, lists: child.listCount, to: &buffer)
            try copyOwned(by: rows, child, content, to: &buffer)
        }
    }

    /// Copies one list of each owner.
    ///
    /// - Parameter columns: The indexes of the owner's number, the position and the id; cells follow the last of these.
    private func copy(
        _ result: PostgresResult, _ columns: (owner: Int, position: Int, id: Int), _ owners: Range<Int>, list: Int,
        lists: Int = 0, to buffer: inout RowBuffer
    ) throws(PersistencyError) -> Range<Int> {
        let first = buffer.count
        while result.advance() {
            let cells = unsafe result.cells[(max(columns.position, columns.id) + 1)...]
            unsafe buffer.append(
                try result.id(columns.id), result.integer(columns.position),
                owner: owners.lowerBound + Int(result.integer(columns.owner)), lists: lists,
                UnsafeBufferPointer(rebasing: cells))
        }
        return buffer.endList(list, from: first)
    }
}
#endif
