internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

/// One connection to a database, with its prepared statements.
///
/// It is opened without SQLite's own mutex, and `@unchecked Sendable` because at each moment one thread alone uses it:
/// it is held by a pool behind a `Mutex`, or by the one synchronous call that took it from there and gives it back when
/// it ends, or (the one that writes) it never leaves the `Mutex` that guards it. No reference survives such a call.
@safe final class SQLiteConnection: @unchecked Sendable {
    let handle: OpaquePointer
    /// Prepared statements of transactions and of the plan, by number.
    private var fixed: [SQLiteStatement?] = []
    private var cache = SQLiteStatementCache<String>(capacity: 64)
    /// Prepared updates, whose texts are not put together again.
    private var updates = SQLiteStatementCache<SQLUpdate>(capacity: 64)
    private var busyMilliseconds: Int32 = 0
    /// The rows of the aggregates that it lends.
    var rowBuffer = RowBuffer()
    /// How many statements were begun.
    private(set) var statementsRun = 0
    /// How many pages the write-ahead log had after the last commit.
    var walPages = 0
    /// The files as they were when it was opened on the promise that they do not change.
    var immutableFiles: SQLiteFiles.Stamp?

    /// - Parameter flags: SQLite's, without those for mutexes and result codes.
    init(_ name: String, flags: Int32) throws(PersistencyError) {
        var opened: OpaquePointer?
        let flags = flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(name, &opened, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe opened else {
            let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code: code, message: "\(message): \(name)").persistencyError
        }
        unsafe self.handle = handle
    }

    deinit {
        // Statements go first; one that is still referred to keeps the connection open until it goes.
        fixed = []
        cache.removeAll()
        updates.removeAll()
        unsafe sqlite3_close_v2(handle)
    }

    /// Whether a transaction is open; some errors end it by themselves.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Whether it was opened on the promise that the files do not change, and they did.
    var isStale: Bool { immutableFiles.map { $0 != $0.now } ?? false }

    /// Rows inserted, updated or deleted since it was opened, also by what was rolled back.
    var rowsWritten: Int64 { unsafe sqlite3_total_changes64(handle) }

    /// Rows that the last statement inserted, updated or deleted.
    var lastChanges: Int64 { unsafe sqlite3_changes64(handle) }

    /// Whether a reference would fail the commit as things stand.
    var hasDanglingReferences: Bool {
        var (current, high) = (Int32(0), Int32(0))
        unsafe sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &high, 0)
        return current != 0
    }

    /// How long a statement waits for another process, in milliseconds.
    func setBusyTimeout(_ milliseconds: Int32) {
        if milliseconds == busyMilliseconds { return }
        busyMilliseconds = milliseconds
        unsafe sqlite3_busy_timeout(handle, milliseconds)
    }

    /// The statement with a number of the plan; prepared when it is first asked for. Call `finish()` after use.
    func statement(_ text: SQLStatementText) throws(PersistencyError) -> SQLiteStatement {
        statementsRun += 1
        if text.number < fixed.count {
            if let statement = fixed[text.number] { return statement }
        } else {
            fixed.append(contentsOf: repeatElement(nil, count: text.number + 1 - fixed.count))
        }
        let statement = try unsafe SQLiteStatement(text.text, on: handle)
        fixed[text.number] = statement
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

    /// Runs a statement that has no values and needs no cache.
    func execute(_ text: String) throws(PersistencyError) {
        statementsRun += 1
        try unsafe SQLiteStatement(text, on: handle).run()
    }
}
