internal import LarderData
internal import LarderDomain

/// Reads rows on one connection. The number of statements depends on the types in an aggregate, not on its rows.
struct SQLiteReading {
    let connection: SQLiteConnection

    /// Lends the roots with these ids, each once. The key is unique, so reading stops after as many rows as ids.
    func lend(_ ids: some Collection<RawID>, _ plan: SQLTablePlan, to body: RowVisitor) throws(PersistencyError) {
        if ids.isEmpty { return }
        if !plan.schema.isFlat { return try lend(ids, plan, &connection.rowBuffer, to: body) }
        let statement = try found(ids, plan)
        defer { statement.finish() }
        var rows = Rows(statement, of: plan.schema, limit: ids.count)
        try body(&rows)
    }

    private func lend(
        _ ids: some Collection<RawID>, _ plan: SQLTablePlan, _ buffer: inout RowBuffer, to body: RowVisitor
    ) throws(PersistencyError) {
        defer { buffer.removeAll() }
        let roots = try snapshot(isOne: false) { () throws(PersistencyError) in
            try copy(found(ids, plan), plan, content: .rows, to: &buffer)
        }
        if !roots.isEmpty { try buffer.lend(roots, of: plan.schema, to: body) }
    }

    /// The statement that selects the roots with these ids, with its values bound.
    func found(
        _ ids: some Collection<RawID>, _ plan: SQLTablePlan
    ) throws(PersistencyError) -> SQLiteStatement {
        let one = ids.count == 1 ? ids.first : nil
        let statement = try connection.statement(one == nil ? plan.readMany : plan.readOne)
        try statement.bind(one.map(Value.id) ?? .blob(RawID.packed(Set(ids))), at: 1)
        return statement
    }

    /// The roots that a statement selects, with owned objects and links; finishes the statement.
    func objects(_ statement: SQLiteStatement, _ plan: SQLTablePlan) throws(PersistencyError) -> [StorageObject] {
        defer { connection.rowBuffer.removeAll() }
        let roots = try copy(statement, plan, content: .complete, to: &connection.rowBuffer)
        return try connection.rowBuffer.storageObjects(roots, of: plan.schema)
    }

    /// Reads from one snapshot: in a transaction, unless one statement reads everything.
    func snapshot<Result>(
        isOne: Bool, _ body: () throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        if isOne || connection.isInTransaction { return try body() }
        try connection.begin()
        do throws(PersistencyError) {
            let result = try body()
            try connection.commit()
            return result
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Copies the roots that a statement selects, with owned objects and links; finishes the statement.
    func copy(
        _ statement: SQLiteStatement, _ plan: SQLTablePlan, content: ReadRequest.Content, to buffer: inout RowBuffer
    ) throws(PersistencyError) -> Range<Int> {
        let roots = try copyRoots(statement, plan, to: &buffer)
        try copyOwned(by: roots, plan, content, to: &buffer)
        return roots
    }

    /// Copies the roots that a statement selects, without lists; finishes the statement. Stops one root after a limit,
    /// of roots or bytes: the last root shows that there is another page.
    func copyRoots(
        _ statement: SQLiteStatement, _ plan: SQLTablePlan, _ limit: Int? = nil, _ byteLimit: Int? = nil,
        to buffer: inout RowBuffer
    ) throws(PersistencyError) -> Range<Int> {
        defer { statement.finish() }
        var (last, bytes) = (limit ?? .max, byteLimit ?? .max)
        while buffer.count <= last, try statement.advance() {
            let root = buffer.count
            // Id, version, columns.
            unsafe buffer.append(
                try statement.requiredID(0), statement.integer(1), lists: plan.listCount, statement.cells(from: 2))
            if byteLimit != nil, let end = buffer.end(of: root..<root + 1, of: plan.schema, within: &bytes) {
                last = min(last, end)
            }
        }
        return 0..<buffer.count
    }

    /// Copies the owned objects and links of a page's roots, in pieces if the page has a limit of bytes.
    ///
    /// - Returns: The roots up to the one that exceeds the limit.
    func copyOwned(
        by roots: Range<Int>, _ plan: SQLTablePlan, _ request: ReadRequest, to buffer: inout RowBuffer
    ) throws(PersistencyError) -> Range<Int> {
        guard var bytes = request.byteLimit else {
            try copyOwned(by: roots, plan, request.content, to: &buffer)
            return roots
        }
        for first in stride(from: 0, to: roots.count, by: RowBuffer.pagePiece) {
            let piece = first..<min(first + RowBuffer.pagePiece, roots.count)
            try copyOwned(by: piece, plan, request.content, to: &buffer)
            if let end = buffer.end(of: piece, of: plan.schema, within: &bytes) { return 0..<end }
        }
        return roots
    }

    /// Copies the owned objects of rows, at any depth, and all links.
    private func copyOwned(
        by owners: Range<Int>, _ plan: SQLTablePlan, _ content: ReadRequest.Content, to buffer: inout RowBuffer
    ) throws(PersistencyError) {
        guard !owners.isEmpty, !plan.schema.isFlat else { return }
        let isOne = owners.count == 1
        let ids: Value =
            isOne ? .id(buffer.id(owners.lowerBound)) : .blob(RawID.packed(owners.map { buffer.id($0) }))
        for (index, link) in plan.links.enumerated() {
            // Owner's number, position, target.
            let statement = try connection.statement(isOne ? link.readOne : link.read)
            _ = try copy(statement, ids, (0, 1, 2), owners, list: plan.children.count + index, to: &buffer)
        }
        for (index, child) in plan.children.enumerated() where content == .complete || !child.schema.isDerived {
            // Owner's number, id, owner's id, position, columns.
            let statement = try connection.statement(isOne ? child.readOwnedByOne : child.readOwned)
            let rows = try copy(statement, ids, (0, 3, 1), owners, list: index, lists: child.listCount, to: &buffer)
            try copyOwned(by: rows, child, content, to: &buffer)
        }
    }

    /// Copies one list of each owner.
    ///
    /// - Parameter columns: The indexes of the owner's number, the position and the id; cells follow the last of these.
    private func copy(
        _ statement: SQLiteStatement, _ ids: Value, _ columns: (owner: Int32, position: Int32, id: Int),
        _ owners: Range<Int>, list: Int, lists: Int = 0, to buffer: inout RowBuffer
    ) throws(PersistencyError) -> Range<Int> {
        defer { statement.finish() }
        try statement.bind(ids, at: 1)
        let first = buffer.count
        while try statement.advance() {
            unsafe buffer.append(
                try statement.requiredID(columns.id), statement.integer(columns.position),
                owner: owners.lowerBound + Int(statement.integer(columns.owner)), lists: lists,
                statement.cells(from: max(Int(columns.position), columns.id) + 1))
        }
        return buffer.endList(list, from: first)
    }
}

extension SQLiteStatement {
    fileprivate func cells(from column: Int) -> UnsafeBufferPointer<Cell> {
        unsafe UnsafeBufferPointer(rebasing: cells[column...])
    }

    fileprivate func requiredID(_ column: Int) throws(PersistencyError) -> RawID {
        guard let id = unsafe RawID(cell: cells[column]) else {
            throw .unavailable(Unavailable(.failed, "the database has a key that is not an id"))
        }
        return id
    }
}
