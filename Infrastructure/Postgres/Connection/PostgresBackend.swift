#if Postgres
internal import LarderData
internal import LarderDomain

/// The process of a server that runs the statements of a connection. Its transaction ends before it.
struct PostgresBackend: Sendable, Equatable {
    let number: Int64
    /// Microseconds since 1970: the system uses the numbers of ended processes again.
    let start: Int64

    static let selection =
        "SELECT pid, (extract(epoch FROM backend_start) * 1000000)::bigint FROM pg_stat_get_activity"
}

extension PostgresConnection {
    /// Whether a process of the server has not ended.
    func isRunning(_ backend: PostgresBackend) throws(PersistencyError) -> Bool {
        let found = try run(PostgresBackend.selection + "($1::bigint::integer)", [.integer(backend.number)])
        return found.advance() && found.integer(1) == backend.start
    }
}
#endif
