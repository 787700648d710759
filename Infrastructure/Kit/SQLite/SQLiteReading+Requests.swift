internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

extension SQLiteReading {
    /// Lends a page. Throws `cancelled` once the task is cancelled.
    func page(
        _ request: ReadRequest, _ plan: SQLTablePlan, _ body: RowBody
    ) throws(PersistencyError) -> PageEnd {
        var request = request
        request.condition = try request.condition.rarestFirst(plan.table, .sqlite, count: integer)
        let query = try SQLReads.page(request, plan.table, .sqlite)
        let count = request.includesTotal ? try SQLReads.total(request.condition, plan.table, .sqlite) : nil
        let isFlat = plan.schema.isFlat || request.content == .versions
        return try connection.untilCancelled { () throws(PersistencyError) in
            if isFlat {
                var next: Place?
                let total = try snapshot(isOne: count == nil) { () throws(PersistencyError) -> Int? in
                    let statement = try prepared(query)
                    defer { statement.finish() }
                    next = try lend(statement, request, body)
                    return try count.map(integer)
                }
                return PageEnd(next: next, total: total)
            }
            return try page(request, plan, query, count, &connection.rowBuffer, body)
        }
    }

    /// Lends aggregates in batches, and checks for cancellation before each.
    private func page(
        _ request: ReadRequest, _ plan: SQLTablePlan, _ query: SQLQuery, _ count: SQLQuery?,
        _ buffer: inout RowBuffer, _ body: RowBody
    ) throws(PersistencyError) -> PageEnd {
        defer { buffer.removeAll() }
        var page = 0..<0
        var next: Place?
        let total = try snapshot(isOne: false) { () throws(PersistencyError) -> Int? in
            let roots = try copyRoots(prepared(query), plan, request.limit, request.byteLimit, to: &buffer)
            page = try copyOwned(by: roots.prefix(request.limit ?? .max), plan, request, to: &buffer)
            if let last = page.last, page.count < roots.count {
                next = try place(of: last, in: buffer, request, plan)
            }
            return try count.map(integer)
        }
        for first in stride(from: 0, to: page.count, by: 256) {
            if Task.isCancelled { throw .cancelled }
            try buffer.lend(first..<min(first + 256, page.count), of: plan.schema, to: body)
        }
        return PageEnd(next: next, total: total)
    }

    /// The keyset position of a root in the buffer, which does not have derived lists.
    private func place(
        of root: Int, in buffer: borrowing RowBuffer, _ request: ReadRequest, _ plan: SQLTablePlan
    ) throws(PersistencyError) -> Place? {
        guard request.order.contains(where: { if case .childSum = $0.operand { true } else { false } }) else {
            return Place(of: try buffer.storageObjects(root..<root + 1, of: plan.schema)[0], in: request.order)
        }
        let id = buffer.id(root)
        let isRoot = Condition.compare(.id, .equal, .literal(.id(id)))
        let one = ReadRequest(request.schema, where: isRoot, order: request.order, content: .versions)
        let statement = try prepared(SQLReads.page(one, plan.table, .sqlite))
        defer { statement.finish() }
        return try statement.step() ? Place(values: statement.values(of: request), id: id) : nil
    }

    /// Lends a statement's rows in place.
    ///
    /// - Returns: The keyset position of the last row, if more rows follow.
    private func lend(
        _ statement: SQLiteStatement, _ request: ReadRequest, _ body: RowBody
    ) throws(PersistencyError) -> Place? {
        var rows = Rows(
            statement, of: request.schema, content: request.content, limit: request.limit, byteLimit: request.byteLimit)
        try body(&rows)
        while try rows.next() {}
        guard rows.isFull else { return nil }
        let last =
            switch request.content {
            case .rows, .complete: Place(of: try rows.storageObject(), in: request.order)
            case .versions: Place(values: statement.values(of: request), id: rows.id)
            }
        return try statement.step() ? last : nil
    }

    func counts(
        _ request: CountRequest, _ plan: SQLTablePlan
    ) throws(PersistencyError) -> [Value: Int] {
        let condition = try request.condition.rarestFirst(plan.table, .sqlite, count: integer)
        let query = try SQLReads.counts(
            CountRequest(request.schema, where: condition, by: request.key, consistency: request.consistency),
            plan.table, .sqlite)
        return try connection.untilCancelled { () throws(PersistencyError) in
            let statement = try prepared(query)
            defer { statement.finish() }
            var counts: [Value: Int] = [:]
            while try statement.step() { counts[statement.value(0, request.keyType)] = Int(statement.integer(1)) }
            return counts
        }
    }

    private func integer(_ query: SQLQuery) throws(PersistencyError) -> Int {
        let statement = try prepared(query)
        defer { statement.finish() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    private func prepared(_ query: SQLQuery) throws(PersistencyError) -> SQLiteStatement {
        let statement: SQLiteStatement
        do {
            statement = try connection.statement(query.text)
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

extension SQLiteStatement {
    /// The sort key of the current root, in the columns after its version.
    fileprivate func values(of request: ReadRequest) -> [Value] {
        request.keyTypes.enumerated().map { value(Int32(truncatingIfNeeded: $0 + 2), $1) }
    }
}
