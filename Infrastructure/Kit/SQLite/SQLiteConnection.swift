internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

/// One connection to a database, with its prepared statements.
///
/// It is opened without SQLite's mutex. `@unchecked Sendable` is safe because only one thread uses it at a time: a
/// reader is idle in a pool behind a `Mutex`, or in use by the one synchronous call that took it from the pool and
/// returns it; the writer never leaves the `Mutex` that guards it. No reference outlives such a call. The connection of a
/// temporary file is used by the steps of one backup, which wait for each other.
@safe final class SQLiteConnection: @unchecked Sendable {
    let handle: OpaquePointer
    /// Prepared statements of transactions and of the plan, by number.
    private var fixed: [SQLiteStatement?] = []
    private var cache = SQLStatementCache<String, SQLiteStatement>(capacity: 64)
    /// Prepared updates by their columns, so that each text is built once.
    private var updates = SQLStatementCache<SQLUpdate, SQLiteStatement>(capacity: 64)
    private var busyMilliseconds: Int32 = 0
    /// The rows of lent aggregates.
    var rowBuffer = RowBuffer()
    /// The number of statements run.
    var statementsRun = 0
    /// Pages in the write-ahead log after the last commit.
    var walPages = 0
    /// The mark of the database that it writes; `nil` for other connections.
    var fileMark: SQLiteFileMark?
    /// Whether the next commit may start a log, and so must mark it.
    var isMarkDue = false
    /// The rows that changes of indexes of words wrote.
    var rowsIndexed: Int64 = 0
    /// ``rowsWritten`` at the start of the transaction.
    var rowsBefore: Int64 = 0
    /// The state of the files when it was opened as immutable; `nil` otherwise.
    var immutableFiles: SQLiteFiles.Stamp?

    /// - Parameters:
    ///   - flags: SQLite's open flags, without those for mutexes.
    ///   - passphrase: The passphrase of a sealed database. The first read reports a wrong one.
    init(_ name: String, flags: Int32, passphrase: Passphrase? = nil) throws(PersistencyError) {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code: code, message: "\(message): \(name)").persistencyError
        }
        unsafe sqlite3_extended_result_codes(handle, 1)
        unsafe self.handle = handle
        unsafe SQLiteLibrary.defineFunctions(on: handle)
        if let passphrase { try unsafe SQLiteLibrary.setKey(passphrase, on: handle) }
    }

    deinit {
        // Statements are finalized first; one that is still referenced keeps the handle open until it is finalized.
        forgetStatements()
        unsafe sqlite3_close_v2(handle)
    }

    /// Whether a transaction is open; some errors roll it back automatically.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// SQLite has no code for it.
    func isOverflow(_ error: PersistencyError) -> Bool { error.sqliteError?.message == "integer overflow" }

    /// Whether it was opened as immutable and the files have changed since.
    var isReplaced: Bool { immutableFiles.map { $0 != $0.now } ?? false }

    /// Rows inserted, updated or deleted since it was opened, including changes that were rolled back, without those of
    /// indexes of words.
    var rowsWritten: Int64 { unsafe sqlite3_total_changes64(handle) - rowsIndexed }

    /// The number of the last inserted row, in a table that numbers its rows.
    var lastRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Rows inserted, updated or deleted by the last statement.
    var lastChanges: Int64 { unsafe sqlite3_changes64(handle) }

    /// Whether a commit would currently fail because of dangling references.
    var hasDanglingReferences: Bool {
        var (current, high) = (Int32(0), Int32(0))
        unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &high, 0)
        return current != 0
    }

    func setBusyTimeout(_ milliseconds: Int32) {
        if milliseconds == busyMilliseconds { return }
        busyMilliseconds = milliseconds
        unsafe sqlite3_busy_timeout(handle, milliseconds)
    }

    /// A fixed statement, prepared on first use. Call `finish()` after use.
    func statement(_ text: SQLStatementText) throws(PersistencyError) -> SQLiteStatement {
        statementsRun += 1
        if text.number < fixed.count, let statement = fixed[text.number] { return statement }
        let statement = try unsafe SQLiteStatement(text.text, on: handle)
        // Changes a copy: without accesses that may nest, reads of the property need no check of exclusivity.
        var statements = fixed + repeatElement(nil, count: max(0, text.number + 1 - fixed.count))
        statements[text.number] = statement
        fixed = statements
        return statement
    }

    /// The statement with this text, from a bounded cache. Call `finish()` after use.
    func statement(_ text: String) throws(PersistencyError) -> SQLiteStatement {
        statementsRun += 1
        if let statement = cache.statement(text) { return statement }
        let statement = try unsafe SQLiteStatement(text, on: handle)
        cache.insert(statement, for: text)
        return statement
    }

    /// The statement of an update, from a bounded cache. Call `finish()` after use.
    func statement(_ update: SQLUpdate) throws(PersistencyError) -> SQLiteStatement {
        statementsRun += 1
        if let statement = updates.statement(update) { return statement }
        let statement = try unsafe SQLiteStatement(update.text, on: handle)
        updates.insert(statement, for: update)
        return statement
    }

    var cachedStatements: Int { cache.count + updates.count }

    /// Runs a statement without values, uncached.
    func execute(_ text: String) throws(PersistencyError) { try uncached(text).run() }

    /// A statement that is not cached.
    func uncached(_ text: String) throws(PersistencyError) -> SQLiteStatement {
        statementsRun += 1
        return try unsafe SQLiteStatement(text, on: handle)
    }

    /// Releases all prepared statements. Another plan may use their numbers.
    func forgetStatements() {
        fixed = []
        cache.removeAll()
        updates.removeAll()
    }
}
