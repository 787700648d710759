internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

extension SQLiteReading {
    /// Lends a page. A long one ends when the task is cancelled.
    func page(
        _ request: ReadRequest, _ plan: SQLTablePlan, _ body: RowBody
    ) throws(PersistencyError) -> PageEnd {
        let query = try SQLReads.page(request, plan)
        let count = request.includesTotal ? try SQLReads.total(request.condition, plan) : nil
        let isFlat = plan.schema.isFlat || request.content == .versions
        return try connection.untilCancelled { () throws(PersistencyError) in
            var objects: [StorageObject] = []
            var next: Place?
            let total = try snapshot(isOne: isFlat && count == nil) { () throws(PersistencyError) -> Int? in
                let statement = try prepared(query)
                if isFlat {
                    defer { statement.finish() }
                    next = try lend(statement, request, body)
                } else {
                    objects = try roots(statement, plan)
                    let limit = request.limit ?? .max
                    let isCut = objects.count > limit
                    if isCut { objects.removeLast(objects.count - limit) }
                    try fillOwned(&objects, plan)
                    next = isCut ? objects.last.map { Place(of: $0, in: request.order) } : nil
                }
                return try count.map(integer)
            }
            try lend(objects[...], to: body)
            return PageEnd(next: next, total: total)
        }
    }

    /// Lends a statement's rows in place. Returns the place of the last row, if more follow.
    private func lend(
        _ statement: SQLiteStatement, _ request: ReadRequest, _ body: RowBody
    ) throws(PersistencyError) -> Place? {
        var rows = Rows(statement, of: request.schema, content: request.content, limit: request.limit)
        try body(&rows)
        while try rows.next() {}
        guard rows.isFull else { return nil }
        let last =
            switch request.content {
            case .rows: Place(of: try rows.storageObject(), in: request.order)
            case .versions: Place(values: statement.values(of: request), id: rows.id)
            }
        return try statement.step() ? last : nil
    }

    /// Lends storage objects, a few at a time, so that a cancelled task ends.
    func lend(_ objects: ArraySlice<StorageObject>, to body: RowBody) throws(PersistencyError) {
        var rest = objects
        while !rest.isEmpty {
            if Task.isCancelled { throw .cancelled }
            var rows = Rows(rest.prefix(256))
            try body(&rows)
            rest = rest.dropFirst(256)
        }
    }

    func counts(
        _ request: CountRequest, _ plan: SQLTablePlan
    ) throws(PersistencyError) -> [Value: Int] {
        let query = try SQLReads.counts(request, plan)
        let type: ColumnType =
            switch request.key {
            case .column(let index): plan.schema.columns[index].type
            case .link: .id
            case .childCount: .integer
            }
        return try connection.untilCancelled { () throws(PersistencyError) in
            let statement = try prepared(query)
            defer { statement.finish() }
            var counts: [Value: Int] = [:]
            while try statement.step() { counts[statement.value(0, type)] = Int(statement.integer(1)) }
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
            // The text is right, so it is its size: an expression deeper, or a list longer, than SQLite reads.
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
    /// The values that the current root is ordered by, which follow its version.
    fileprivate func values(of request: ReadRequest) -> [Value] {
        request.order.enumerated().map { index, term in
            let type: ColumnType =
                switch term.operand {
                case .id: .id
                case .column(let column): request.schema.columns[column].type
                default: .integer
                }
            return value(Int32(truncatingIfNeeded: index + 2), type)
        }
    }
}
