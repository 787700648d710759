internal import GRDB
public import LarderData
public import LarderDomain

extension GRDBStore {
    /// Roots that are read at once, and lent before the next ones are read.
    private static let batch = 256

    /// Runs on a queue of GRDB, with the body.
    public func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        let table = try table(of: schema)
        try await translating {
            try await pool.read { database in
                try Aggregates(database: database).roots(ids, of: table) { try Rows.lend($0, to: body) }
            }
        }
    }

    /// Runs on a queue of GRDB, with the body. Throws `cancelled` once the task is cancelled.
    public func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        try hub.check(request.consistency)
        let table = try table(of: request.schema)
        let page = try table.page(request)
        let count = request.includesTotal || request.isRanked ? try table.total(request.condition) : nil
        return try await translating {
            try await pool.read { database in
                let total = try count.flatMap { try database.prepared($0).integer() }
                try request.checkRanked(total ?? 0)
                let next = try Self.lend(page, request, table, database, body)
                return PageEnd(next: next, total: request.includesTotal ? total : nil)
            }
        }
    }

    /// Lends a page in batches. Returns the position of its last root, if more follow.
    private static func lend(
        _ page: SQL, _ request: ReadRequest, _ table: StoredTable, _ database: Database, _ body: RowBody
    ) throws -> Place? {
        let ordersByLists = request.order.contains { !$0.operand.isOfRow }
        let aggregates = Aggregates(
            database: database, hasLists: request.content != .versions || ordersByLists,
            hasDerived: request.content == .complete || ordersByLists)
        let cursor = try database.prepared(page).rows()
        var (left, last) = (request.limit ?? .max, StorageObject?.none)
        while left > 0 {
            var roots: [StorageObject] = []
            while roots.count < min(left, batch), let row = try cursor.next() { roots.append(try table.root(row)) }
            roots = try aggregates.complete(roots, table)
            guard let end = roots.last else { return nil }
            try Rows.lend(roots, to: body)
            (left, last) = (left - roots.count, end)
        }
        guard let last, try cursor.next() != nil else { return nil }
        return Place(of: last, in: request.order)
    }

    /// In SQL, on a queue of GRDB.
    public func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        try hub.check(request.consistency)
        let sql = try table(of: request.schema).aggregates(request)
        let types = request.columnTypes
        return try await translating {
            try await pool.read { database in
                let cursor = try database.prepared(sql).rows()
                var table = AggregateTable(request)
                while let row = try cursor.next() {
                    let (keys, figures) = request.values(of: types.enumerated().map { row.value($0, $1) })
                    table.add(figures, to: keys)
                }
                return table
            }
        }
    }
}

extension Operand {
    /// Whether the value is in the row itself.
    fileprivate var isOfRow: Bool {
        switch self {
        case .literal, .id, .column: true
        case .linkCount, .childCount, .childSum, .rank: false
        case .coalesce(let first, let second), .arithmetic(let first, _, let second): first.isOfRow && second.isOfRow
        }
    }
}

extension Database {
    /// A statement for a query. It is not cached, because GRDB's cache is unbounded.
    fileprivate func prepared(_ query: SQL) throws -> Statement {
        let (sql, arguments) = try query.build(self)
        do {
            let statement = try makeStatement(sql: sql)
            statement.setUncheckedArguments(arguments)
            return statement
        } catch let error as DatabaseError where [.SQLITE_ERROR, .SQLITE_TOOBIG].contains(error.resultCode) {
            // The text is valid, so it exceeds a limit of SQLite: its depth, its length, or its values.
            throw PersistencyError.unsupportedQuery("it is too deep or too long for SQLite: \(error.message ?? "")")
        }
    }
}

extension Statement {
    fileprivate func rows() throws -> RowCursor { try Row.fetchCursor(self) }
    fileprivate func integer() throws -> Int? { try Int.fetchOne(self) }
}
