#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// The lock of a process on its temporary schemas, which the server releases when the process ends.
///
/// An open transaction has the lock, so that it also works behind a pool that shares sessions. Without a snapshot or a
/// number, the transaction holds up nothing.
struct PostgresScratchLock: Sendable {
    private static let key = "hashtextextended($1::text, 0)"
    private let thread = StoreThread(label: "store.postgres.scratch.lock")
    private let connection: PostgresConnection

    init(_ name: String, _ configuration: PostgresStore.Configuration) async throws(PersistencyError) {
        connection = try await thread.run { () throws(PersistencyError) in
            let connection = try PostgresConnection(configuration)
            try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY")
            try connection.execute("SET LOCAL idle_in_transaction_session_timeout TO 0")
            try connection.run("SELECT pg_advisory_xact_lock(\(Self.key))", [.text(name)])
            return connection
        }
    }

    func release() async { await thread.run { _ = try? connection.execute("ROLLBACK") } }

    /// Runs a body in a transaction with a lock that no process has; otherwise, it does not run. Errors of the body are
    /// ignored.
    static func ifFree(
        _ name: String, _ connection: PostgresConnection, _ body: () throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        let result = try connection.run("SELECT pg_try_advisory_xact_lock(\(key))", [.text(name)])
        if result.advance(), result.integer(0) == 1 { try? body() }
        try connection.execute("COMMIT")
    }
}
#endif
