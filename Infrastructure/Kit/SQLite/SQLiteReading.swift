internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

typealias SQLiteReading = SQLReading<SQLiteConnection>

extension SQLiteReading {
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
            try copy(found(ids, plan), plan, .rows, to: &buffer)
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
        let roots = try copy(statement, plan, .complete, to: &connection.rowBuffer)
        return try connection.rowBuffer.storageObjects(roots, of: plan.schema)
    }

    /// Reads from one snapshot: in a transaction, unless one statement reads everything.
    func snapshot<Result>(
        isOne: Bool, _ body: () throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        try isOne || connection.isInTransaction ? body() : connection.transaction(writes: false, body)
    }

    /// Copies the roots that a statement selects, with owned objects and links; finishes the statement.
    private func copy(
        _ statement: SQLiteStatement, _ plan: SQLTablePlan, _ content: ReadRequest.Content,
        to buffer: inout RowBuffer
    ) throws(PersistencyError) -> Range<Int> {
        defer { statement.finish() }
        let roots = try copyRoots(statement, plan, to: &buffer)
        try connection.copyLists(of: roots, plan, content, to: &buffer)
        return roots
    }
}

extension SQLiteConnection: SQLSession {
    var dialect: any SQLDefinitionDialect { SQLiteDialect() }

    func run(_ steps: [SQLStep<SQLiteStatement>]) throws(PersistencyError) {
        for step in steps {
            let statement = try statement(SQLQuery(text: step.text, values: step.values))
            defer { statement.finish() }
            try step.evaluate(statement)
        }
    }

    func inSnapshot(
        _ body: (_ begin: [SQLStep<SQLiteStatement>], _ commit: [SQLStep<SQLiteStatement>]) throws(PersistencyError)
            -> Void
    ) throws(PersistencyError) {
        try SQLiteReading(connection: self).snapshot(isOne: false) { () throws(PersistencyError) in try body([], []) }
    }

    func copyLists(
        of owners: Range<Int>, _ plan: SQLTablePlan, _ content: ReadRequest.Content, end: [SQLStep<SQLiteStatement>]
    ) throws(PersistencyError) {
        try copyLists(of: owners, plan, content, to: &rowBuffer)
        try run(end)
    }

    fileprivate func copyLists(
        of owners: Range<Int>, _ plan: SQLTablePlan, _ content: ReadRequest.Content, to buffer: inout RowBuffer
    ) throws(PersistencyError) {
        guard !owners.isEmpty, !plan.schema.isFlat else { return }
        let ids: Value =
            owners.count == 1
            ? .id(buffer.id(owners.lowerBound)) : .blob(RawID.packed(owners.map { buffer.id($0) }))
        for number in 0..<plan.listCount {
            guard let list = plan.list(number, of: owners, content) else { continue }
            let rows = try copy(list, ids, to: &buffer)
            if let child = list.child { try copyLists(of: rows, child, content, to: &buffer) }
        }
    }

    private func copy(
        _ list: SQLListRead, _ ids: Value, to buffer: inout RowBuffer
    ) throws(PersistencyError) -> Range<Int> {
        let statement = try statement(list.statement)
        defer { statement.finish() }
        try statement.bind(ids, at: 1)
        return try list.copy(statement, to: &buffer)
    }

    /// The statement of a query, with its values bound.
    func statement(_ query: SQLQuery) throws(PersistencyError) -> SQLiteStatement {
        let statement: SQLiteStatement
        do {
            statement = try self.statement(query.text)
        } catch {
            // The text is valid, so it exceeds a limit of SQLite: expression depth or list length.
            guard let cause = error.sqliteError, [SQLITE_ERROR, SQLITE_TOOBIG].contains(cause.primaryCode) else {
                throw error
            }
            throw .unsupportedQuery("it is too deep or too long for SQLite: \(cause.message)")
        }
        try statement.bind(query.values, from: 1)
        return statement
    }
}
