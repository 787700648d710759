#if Postgres
internal import LarderDomain

/// An error of the server or of the connection to it.
struct PostgresError: Error, Sendable, CustomStringConvertible {
    /// The five characters of the error's code; empty if the connection failed.
    let state: String
    let message: String
    var detail = ""
    var table = ""
    var constraint = ""
    /// Whether the server has not answered in time, so that another attempt would wait as long again.
    var isSilent = false
    /// The fault and the advice, if the code does not determine them.
    var advice: String?

    var description: String { state.isEmpty ? message : "PostgreSQL \(state): \(message)" }

    /// Whether the connection cannot be used any more.
    var isDisconnection: Bool { state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P") }

    /// Whether the statement may succeed on a new connection: this one was lost, leads to a server that became a replica
    /// (also 0A000), or has prepared statements of an older structure of the tables (0A000).
    var needsNewConnection: Bool { isDisconnection || state == "25006" || state == "0A000" }

    var persistencyError: PersistencyError {
        switch state {
        // A serialization failure, a deadlock, or a unique value of a transaction that the snapshot does not contain.
        case "40001", "40P01", "23P01": return .contention(description)
        // A statement too complex, a number out of range, or an expression nested too deeply.
        case "22003", "54001", "54023": return .unsupportedQuery("PostgreSQL cannot answer it: \(message)")
        default: return .unavailable(unavailable)
        }
    }

    /// The fault and the advice, with the message of the server.
    var unavailable: Unavailable {
        let words = (advice ?? PostgresAdvice.texts[state]).map { "\($0) (\(description))" }
        return Unavailable(PostgresAdvice.reasons[state] ?? .failed, words ?? description, cause: self)
    }
}

extension PersistencyError {
    var postgresError: PostgresError? {
        if case .unavailable(let trouble) = self { trouble.cause as? PostgresError } else { nil }
    }

    static var emptiedJournal: PersistencyError {
        .malformed("another program has emptied the table larder_journal: restore a backup")
    }

    static var replaced: PersistencyError {
        .malformed("a restore has replaced the store since it was opened: open it again")
    }

    static func malformed(_ what: String) -> PersistencyError { .unavailable(Unavailable(.failed, what)) }
}
#endif
