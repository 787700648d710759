internal import CLarderSQLite
internal import LarderDomain

/// What SQLite answered when it could not do something.
struct SQLiteError: Error, Sendable, CustomStringConvertible {
    /// The extended result code.
    let code: Int32
    /// SQLite's own words.
    let message: String

    /// The code without what extends it.
    var primaryCode: Int32 { code & 0xFF }

    var description: String { "SQLite \(code): \(message)" }

    /// Whether a statement could not be compiled because of its text.
    var isAboutTheText: Bool { primaryCode == SQLITE_ERROR || primaryCode == SQLITE_TOOBIG }

    /// The error as the ports know it.
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
