internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

/// A prepared statement.
///
/// The caller calls ``finish()`` after use, on every path, to release locks and bound values.
@safe final class SQLiteStatement {
    let handle: OpaquePointer
    let lentCells: UnsafeMutableBufferPointer<Cell>
    /// Copies of bound bytes, which SQLite uses in place until ``finish()``.
    let boundBytes: UnsafeMutableRawBufferPointer
    /// The number of these bytes in use.
    var boundCount = 0
    /// `SQLITE_CONSTRAINT_PRIMARYKEY`, an expression that Swift does not import.
    private static let primaryKeyIsTaken = SQLITE_CONSTRAINT | 6 << 8

    /// Throws `unavailable`: `failed` if the text is not valid SQL, `busy` if the schema cannot be read.
    convenience init(_ text: String, on connection: OpaquePointer) throws(PersistencyError) {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let handle = unsafe prepared else {
            throw unsafe SQLiteError(code: code, message: String(cString: sqlite3_errmsg(connection))).persistencyError
        }
        unsafe self.init(prepared: handle)
    }

    /// Takes ownership of a prepared statement.
    init(prepared handle: OpaquePointer) {
        unsafe self.handle = handle
        unsafe lentCells = .allocate(capacity: Int(sqlite3_column_count(handle)))
        unsafe lentCells.initialize(repeating: .null)
        // Sufficient for the id and the short texts of a row; SQLite copies values that do not fit.
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

    /// Binds values to the first parameters, runs it to completion and resets it.
    func run(_ values: [Value] = []) throws(PersistencyError) {
        try bind(values, from: 1)
        defer { finish() }
        while try step() {}
    }

    /// Inserts a row and finishes. Returns `false` if its primary key exists already.
    ///
    /// - Parameter keepsValues: Whether a success leaves the values bound. The caller binds all of them again, or finishes.
    func insert(keepsValues: Bool = false) throws(PersistencyError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        defer { if keepsValues, code == SQLITE_DONE { reset() } else { finish() } }
        if code == SQLITE_DONE { return true }
        if code == Self.primaryKeyIsTaken { return false }
        throw error(code).persistencyError
    }

    /// Binds values to the first parameters, and finishes after the first row.
    ///
    /// - Returns: The result of a function for that row; `nil` without a row.
    func first<Result>(_ values: [Value], _ body: (SQLiteStatement) -> Result) throws(PersistencyError) -> Result? {
        try bind(values, from: 1)
        defer { finish() }
        return try step() ? body(self) : nil
    }

    private func reset() {
        unsafe sqlite3_reset(handle)
        boundCount = 0
    }

    /// Resets it, which releases its row, locks and bound values.
    func finish() {
        reset()
        unsafe sqlite3_clear_bindings(handle)
    }

    private func error(_ code: Int32) -> SQLiteError {
        unsafe SQLiteError(code: code, message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }
}
