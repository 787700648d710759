internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

extension SQLiteConnection {
    /// Prepares a text that is exactly one statement, uncached.
    ///
    /// - Throws: `unsupportedQuery` for another text.
    func single(_ text: String) throws(PersistencyError) -> SQLiteStatement {
        statementsRun += 1
        // SQLite would ignore the rest of the text.
        guard !text.utf8.contains(0) else { throw .unsupportedQuery("a statement must not contain U+0000") }
        var (prepared, following): (OpaquePointer?, OpaquePointer?) = (nil, nil)
        let (code, hasMore) = unsafe text.withCString { start in
            var rest: UnsafePointer<CChar>?
            let code = unsafe sqlite3_prepare_v3(handle, start, -1, 0, &prepared, &rest)
            guard unsafe code == SQLITE_OK && prepared != nil else { return (code, false) }
            // Spaces, comments and semicolons yield no statement.
            let next = unsafe sqlite3_prepare_v3(handle, rest, -1, 0, &following, nil)
            return unsafe (code, next != SQLITE_OK || following != nil)
        }
        defer { unsafe sqlite3_finalize(following) }
        guard code == SQLITE_OK else {
            let error = unsafe SQLiteError(code: code, message: String(cString: sqlite3_errmsg(handle)))
            throw error.primaryCode == SQLITE_ERROR ? .unsupportedQuery(error.message) : error.persistencyError
        }
        guard let statement = unsafe prepared.map({ unsafe SQLiteStatement(prepared: $0) }) else {
            throw .unsupportedQuery("the text contains no statement")
        }
        guard !hasMore else { throw .unsupportedQuery("the text contains more than one statement") }
        return statement
    }
}

extension SQLiteStatement {
    /// Binds one value to each parameter.
    ///
    /// - Throws: `unsupportedQuery` for another number of values, and for NaN, which SQLite would store as `NULL`.
    func bind(all values: [Value]) throws(PersistencyError) {
        let count = unsafe Int(sqlite3_bind_parameter_count(handle))
        guard values.count == count else {
            throw .unsupportedQuery(
                "the statement has \(count) parameters, but the number of values is \(values.count)")
        }
        for (index, value) in values.enumerated() {
            if case .real(let real) = value, real.isNaN {
                throw .unsupportedQuery("the value of parameter \(index + 1) is not a number")
            }
        }
        try bind(values, from: 1)
    }

    var columnNames: [String] {
        let count = unsafe sqlite3_column_count(handle)
        return (0..<count).map { column in
            unsafe sqlite3_column_name(handle, column).map { unsafe String(cString: $0) } ?? ""
        }
    }
}
