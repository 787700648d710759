#if Postgres
internal import LarderData
package import LarderDomain
package import LarderInfrastructure

extension PostgresStore: SnapshotStore {
    /// Lends the content of one transaction on its own connection. Commits and reads continue meanwhile; migrations and
    /// restores wait. Memory: 256 roots, or four if they may have blobs.
    package func withSnapshot<Result: Sendable>(
        _ progress: BackupProgress?, _ body: @Sendable (StoreSnapshot) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        try pool.checkOpen()
        let configuration = configuration
        return try await StoreThread(label: "store.postgres.backup").run { () throws(PersistencyError) in
            let connection = try PostgresConnection(configuration)
            // Before the transaction, whose first query takes the snapshot: a table that was changed after the snapshot
            // could not be read, or would be empty in it.
            try PostgresSchemaLock.shared.take(on: connection, upTo: configuration.busyTimeout)
            try connection.execute(
                """
                BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
                SET LOCAL idle_in_transaction_session_timeout TO 0
                """)
            let record = try SQLSchemaRecord(connection).read()
            let end = try PostgresJournal(connection: connection).endOfSnapshot()
            // The tables may have more columns and entities than the program declares.
            let stored = try SQLPlan(SchemaShape(record.items).schemas())
            return try body(
                StoreSnapshot(stored.schemas, record, end) { visitor throws(PersistencyError) in
                    for root in stored.roots {
                        try PostgresReading(connection: connection).forEachBatch(of: root) {
                            roots throws(PersistencyError) in
                            for root in roots { try visitor(root) }
                        }
                    }
                    // The written file is synced and checked without the transaction.
                    try connection.execute("COMMIT")
                    PostgresSchemaLock.shared.release(on: connection)
                })
        }
    }
}
#endif
