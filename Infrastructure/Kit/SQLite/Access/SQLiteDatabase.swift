public import LarderData
public import LarderDomain

/// A database within the transaction of ``SQLiteAccess``. It is not `Sendable`, so it cannot leave the body.
///
/// Each call runs one statement, whose parameters (`?1`, `?2`, or `:name`, in the order of their numbers) get the values
/// of the call. An id is a blob of 16 bytes, a Boolean 0 or 1, an instant its microseconds since 1970.
public struct SQLiteDatabase {
    let connection: SQLiteConnection
    let authorizer: SQLiteAuthorizer

    /// Runs a statement and returns its rows.
    ///
    /// - Throws: `unsupportedQuery`, with SQLite's message, for a text that is not exactly one valid statement, that the
    ///   access does not permit, or that has another number of parameters than values. `cancelled` once the task is
    ///   cancelled. `unavailable`, with SQLite's message, if the statement fails, for example at a constraint.
    /// - Complexity: The rows are in memory together. Restrict them with `LIMIT`.
    public func rows(_ sql: String, _ values: [Value] = []) throws(PersistencyError) -> [SQLRow] {
        try run(sql, values) { statement throws(PersistencyError) in
            let columns = statement.columnNames
            var rows: [SQLRow] = []
            while try statement.step() {
                rows.append(
                    SQLRow(
                        columns: columns,
                        values: columns.indices.map { statement.value(Int32(truncatingIfNeeded: $0), .blob) }))
            }
            return rows
        }
    }

    /// Runs a statement and ignores its rows.
    ///
    /// - Returns: The number of rows that the statement itself has inserted, updated or deleted.
    /// - Throws: As ``rows(_:_:)``.
    @discardableResult
    public func run(_ sql: String, _ values: [Value] = []) throws(PersistencyError) -> Int {
        let before = connection.rowsWritten
        try run(sql, values) { statement throws(PersistencyError) in while try statement.step() {} }
        // SQLite keeps the number of an earlier statement if this one changes no row.
        return connection.rowsWritten == before ? 0 : Int(connection.lastChanges)
    }

    private func run<Result>(
        _ sql: String, _ values: [Value], _ body: (SQLiteStatement) throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        // Some errors end the transaction. Without it, each further statement would be committed by itself.
        guard connection.isInTransaction else { throw .transactionEnded }
        return try authorizer.explaining { () throws(PersistencyError) in
            let statement = try connection.single(sql)
            try statement.bind(all: values)
            return try body(statement)
        }
    }
}

@available(*, unavailable)
extension SQLiteDatabase: Sendable {}
