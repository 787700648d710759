internal import CLarderSQLite
internal import LarderData
internal import LarderDomain

extension SQLiteStatement {
    /// Binds a value to a parameter, numbered from 1.
    func bind(_ value: Value, at number: Int) throws(PersistencyError) {
        let number = Int32(number)
        let code: Int32
        switch value {
        case .null: code = unsafe sqlite3_bind_null(handle, number)
        case .integer(let integer): code = unsafe sqlite3_bind_int64(handle, number, integer)
        case .real(let real): code = unsafe sqlite3_bind_double(handle, number, real)
        case .text(let text): code = bind(text, at: number)
        case .blob(let bytes): code = unsafe bytes.withUnsafeBytes { unsafe bind($0, at: number, isText: false) }
        case .id(let id): code = bind(id, at: number)
        }
        guard code == SQLITE_OK else {
            finish()
            throw SQLiteError(code: code, message: unsafe String(cString: sqlite3_errstr(code))).persistencyError
        }
    }

    func bind(_ values: [Value], from first: Int) throws(PersistencyError) {
        var number = first
        for value in values {
            try bind(value, at: number)
            number += 1
        }
    }

    func bind(_ id: RawID, at number: Int) throws(PersistencyError) { try bind(.id(id), at: number) }

    func bind(_ integer: Int64, at number: Int) throws(PersistencyError) { try bind(.integer(integer), at: number) }

    private func bind(_ text: String, at number: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { unsafe bind(UnsafeRawBufferPointer($0), at: number, isText: true) }
    }

    private func bind(_ id: RawID, at number: Int32) -> Int32 {
        unsafe withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) {
            unsafe bind($0, at: number, isText: false)
        }
    }

    /// Binds a copy, because a short text has no address outside the closure that lends its bytes.
    ///
    /// The explicit length preserves U+0000. Without an address, which an empty buffer may lack, SQLite would bind
    /// `NULL`; zero bytes always fit into the buffer.
    private func bind(_ bytes: UnsafeRawBufferPointer, at number: Int32, isText: Bool) -> Int32 {
        var start = bytes.baseAddress
        var destructor = unsafe larder_sqlite_transient()
        if unsafe bytes.count <= boundBytes.count - boundCount {
            let copy = unsafe UnsafeMutableRawBufferPointer(rebasing: boundBytes[boundCount...])
            unsafe copy.copyMemory(from: bytes)
            boundCount += bytes.count
            unsafe start = UnsafeRawPointer(copy.baseAddress)
            unsafe destructor = larder_sqlite_static()
        }
        let count = UInt64(bytes.count)
        guard isText else { return unsafe sqlite3_bind_blob64(handle, number, start, count, destructor) }
        let text = unsafe start?.assumingMemoryBound(to: CChar.self)
        return unsafe sqlite3_bind_text64(handle, number, text, count, destructor, UInt8(SQLITE_UTF8))
    }
}

extension SQLiteStatement {
    /// A copy of a column of the row, numbered from 0, as a value of a type.
    func value(_ column: Int32, _ type: ColumnType) -> Value { cell(column).value(of: type) }

    /// `nil` unless the column has 16 bytes.
    func id(_ column: Int32) -> RawID? { RawID(cell: cell(column)) }

    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// A column of the row, numbered from 0, as a text outside objects. U+FFFD replaces invalid UTF-8.
    func text(_ column: Int32) -> String {
        guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }
}

/// Lends its rows in place.
///
/// `sqlite3_column_value` returns an unprotected value, which is safe to read here: the connection has no mutex, and
/// only one thread uses it while rows are lent (``SQLiteConnection``). Cells point to memory of SQLite, which is valid
/// until the next step or reset of the statement.
extension SQLiteStatement: RowSource {
    var cells: UnsafeBufferPointer<Cell> { unsafe UnsafeBufferPointer(lentCells) }

    func advance() throws(PersistencyError) -> Bool {
        guard try step() else { return false }
        let cells = unsafe lentCells
        for column in 0..<cells.count { unsafe cells[column] = cell(Int32(truncatingIfNeeded: column)) }
        return true
    }

    /// A column of the row, numbered from 0, in SQLite's memory.
    @inline(__always)
    func cell(_ column: Int32) -> Cell {
        let value = unsafe sqlite3_column_value(handle, column)
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER: return unsafe .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: return unsafe .real(sqlite3_value_double(value))
        // The address is requested before the byte count, which depends on the encoding.
        case SQLITE_TEXT:
            let start = unsafe UnsafeRawPointer(sqlite3_value_text(value))
            return unsafe .text(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        case SQLITE_BLOB:
            let start = unsafe sqlite3_value_blob(value)
            return unsafe .blob(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        default: return .null
        }
    }
}
