internal import CLarderSQLite
internal import LarderDomain

/// What SQLite answered when it could not do something.
struct SQLiteError: Error, Sendable, CustomStringConvertible {
    let code: Int32
    let message: String

    /// The code without what extends it.
    var primaryCode: Int32 { code & 0xFF }

    var description: String { "SQLite \(code): \(message)" }

    var persistencyError: PersistencyError {
        let reason: Unavailable.Reason
        switch primaryCode {
        case SQLITE_INTERRUPT: return .cancelled
        case SQLITE_NOTADB: return .incompatible(message)
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

    /// Whether the file contradicts itself.
    var isCorruption: Bool { sqliteError?.primaryCode == SQLITE_CORRUPT }
}
