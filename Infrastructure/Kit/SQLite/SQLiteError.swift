internal import CLarderSQLite
internal import LarderDomain

/// A result code of SQLite with its message.
struct SQLiteError: Error, Sendable, CustomStringConvertible {
    let code: Int32
    let message: String

    /// The primary result code, without the extended part.
    var primaryCode: Int32 { code & 0xFF }

    var description: String { "SQLite \(code): \(message)" }

    var persistencyError: PersistencyError {
        let reason: Unavailable.Reason
        switch primaryCode {
        case SQLITE_INTERRUPT: return .cancelled
        case SQLITE_BUSY, SQLITE_LOCKED: reason = .busy
        case SQLITE_FULL: reason = .full
        case SQLITE_READONLY: reason = .readOnly
        case SQLITE_TOOBIG: reason = .tooLarge
        default: reason = .failed
        }
        return .unavailable(Unavailable(reason, message, cause: self))
    }
}

extension PersistencyError {
    var sqliteError: SQLiteError? {
        if case .unavailable(let trouble) = self { trouble.cause as? SQLiteError } else { nil }
    }

    /// Whether the device failed. A failed commit is in doubt then.
    var isDeviceError: Bool { sqliteError?.primaryCode == SQLITE_IOERR }

    /// Whether SQLite cannot read the first page: it is not that of a database, or is encrypted with another key.
    var isUnreadable: Bool { sqliteError?.primaryCode == SQLITE_NOTADB }

    /// Whether SQLite found the file to be corrupt.
    var isCorruption: Bool { sqliteError?.primaryCode == SQLITE_CORRUPT }
}
