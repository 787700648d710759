import CSQLite
import LarderDomain

/// A prepared statement of the C API. Only one task at a time uses it, like its connection.
final class FloorStatement {
    let handle: OpaquePointer

    init(_ sql: String, _ connection: OpaquePointer) throws {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard let statement = statement else {
            throw FloorError(code: code, message: String(cString: sqlite3_errmsg(connection)))
        }
        handle = statement
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ number: Int32, _ id: RawID) { FloorDatabase.bind(id, number, handle) }
    func bind(_ number: Int32, _ integer: Int?) { FloorDatabase.bind(integer, number, handle) }
    func bind(_ number: Int32, _ text: String?) { FloorDatabase.bind(text, number, handle) }
    func bind(_ number: Int32, _ real: Double?) {
        guard let real else { return _ = sqlite3_bind_null(handle, number) }
        sqlite3_bind_double(handle, number, real)
    }

    /// Runs it to completion.
    func run() throws {
        let code = sqlite3_step(handle)
        sqlite3_reset(handle)
        guard code == SQLITE_DONE else { throw FloorError(code: code, message: String(cString: sqlite3_sql(handle))) }
    }

    /// Visits its rows.
    func rows(_ body: (OpaquePointer) -> Void) {
        while sqlite3_step(handle) == SQLITE_ROW { body(handle) }
        sqlite3_reset(handle)
    }
}
