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

    var description: String { state.isEmpty ? message : "PostgreSQL \(state): \(message)" }

    /// Whether the connection cannot be used any more.
    var isDisconnection: Bool { state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P") }

    var persistencyError: PersistencyError {
        switch state {
        // A serialization failure, a deadlock, or a unique value of a transaction that the snapshot does not contain.
        case "40001", "40P01", "23P01": return .contention(description)
        // A statement too complex, a number out of range, or an expression nested too deeply.
        case "22003", "54001", "54023": return .unsupportedQuery("PostgreSQL cannot answer it: \(message)")
        default: return .unavailable(unavailable)
        }
    }

    var unavailable: Unavailable {
        let (reason, hint): (Unavailable.Reason, String) =
            switch state {
            case "25006": (.readOnly, "connect to the primary: target_session_attrs=read-write")
            case "28000", "28P01": (.failed, "check the user, the password, and pg_hba.conf")
            case "3D000": (.failed, "create the database, or name another one")
            case "3F000": (.failed, "create the schema, or name another one")
            case "42501": (.failed, "grant the user the rights on the schema and its tables")
            case "53100": (.full, "free space on the server's device")
            case "53300": (.busy, "raise max_connections, or open fewer connections")
            case "55P03", "57014": (.busy, "another transaction holds a lock, or the statement exceeds its time limit")
            case "57P01", "57P02", "57P03": (.failed, "the server is starting or stopping; try again")
            case "": (.failed, "check that the server is running and can be reached")
            default: (.failed, "")
            }
        return Unavailable(reason, description + (hint.isEmpty ? "" : " (\(hint))"), cause: self)
    }
}

extension PersistencyError {
    var postgresError: PostgresError? {
        if case .unavailable(let trouble) = self { trouble.cause as? PostgresError } else { nil }
    }

    static var closed: PersistencyError { .unavailable(Unavailable(.closed, "the store was closed")) }

    static func malformed(_ what: String) -> PersistencyError { .unavailable(Unavailable(.failed, what)) }
}
#endif
