internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

/// A prepared statement.
///
/// Whoever gets one from a connection calls ``finish()`` when done, on every path, so that it holds no lock and no value.
@safe final class SQLiteStatement {
    let handle: OpaquePointer
    let lentCells: UnsafeMutableBufferPointer<Cell>
    /// Copies of bound bytes, which SQLite uses in place until ``finish()``.
    let boundBytes: UnsafeMutableRawBufferPointer
    /// How many of them are in use.
    var boundCount = 0
    /// `SQLITE_CONSTRAINT_PRIMARYKEY`, an expression that Swift does not import.
    private static let primaryKeyIsTaken = SQLITE_CONSTRAINT | 6 << 8

    /// Compiles a text. Throws `unavailable` (`failed`) where the text is no statement, `busy` where the schema cannot
    /// be read.
    init(_ text: String, on connection: OpaquePointer) throws(PersistencyError) {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let handle = unsafe prepared else {
            throw unsafe SQLiteError(code: code, message: String(cString: sqlite3_errmsg(connection))).persistencyError
        }
        unsafe self.handle = handle
        unsafe lentCells = .allocate(capacity: Int(sqlite3_column_count(handle)))
        unsafe lentCells.initialize(repeating: .null)
        // Enough for the id and the short texts of a row; SQLite copies what does not fit.
        unsafe boundBytes = .allocate(byteCount: 512, alignment: 1)
    }

    deinit {
        unsafe sqlite3_finalize(handle)
        unsafe lentCells.deallocate()
        unsafe boundBytes.deallocate()
    }

    func step() throws(PersistencyError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw error(code).persistencyError
    }

    /// Runs it to its end and makes it ready for the next use.
    func run() throws(PersistencyError) {
        defer { finish() }
        while try step() {}
    }

    /// Runs a statement that inserts a row under a key. Returns whether the key was free.
    func insert() throws(PersistencyError) -> Bool {
        defer { finish() }
        let code = unsafe sqlite3_step(handle)
        if code == SQLITE_DONE { return true }
        if code == Self.primaryKeyIsTaken { return false }
        throw error(code).persistencyError
    }

    /// Ends its use: it holds no row, no lock and no bound value any more.
    func finish() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
        boundCount = 0
    }

    private func error(_ code: Int32) -> SQLiteError {
        unsafe SQLiteError(code: code, message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }
}
