#if Postgres
internal import LarderData
internal import LarderDomain

/// The process of a server that runs the statements of a connection. Its transaction ends before it.
struct PostgresBackend: Sendable, Hashable {
    let number: Int64
    /// Microseconds since 1970: the system uses the numbers of ended processes again.
    let start: Int64

    static let selection = "SELECT pid, \(microseconds("backend_start"))"

    static func microseconds(_ column: String) -> String { "(extract(epoch FROM \(column)) * 1000000)::bigint" }
}

extension PostgresConnection {
    /// The process of this connection. Marks it as one of a store.
    func markedBackend() throws(PersistencyError) -> PostgresBackend? {
        let found = try run(
            "\(PostgresBackend.selection), \(Self.marking) FROM pg_stat_get_activity(pg_backend_pid())")
        return found.advance() ? PostgresBackend(number: found.integer(0), start: found.integer(1)) : nil
    }

    /// Whether a process of the server has not ended. Ends it if it waits for its client, which must have given up the
    /// connection.
    func isRunning(_ backend: PostgresBackend) throws(PersistencyError) -> Bool {
        let found = try run(
            """
            \(PostgresBackend.selection), CASE
                WHEN wait_event_type = 'Client' AND \(PostgresBackend.microseconds("backend_start")) = $2::bigint
                THEN pg_terminate_backend(pid) END
            FROM pg_stat_get_activity($1::bigint::integer)
            """, [.integer(backend.number), .integer(backend.start)])
        return found.advance() && found.integer(1) == backend.start
    }
}
#endif
