#if Postgres
public import LarderData
public import LarderDomain

extension PostgresStore: RenewableStore {
    /// Changes the lifetime of all rows of the journal, and closes the store.
    public nonisolated func renew() async throws(PersistencyError) {
        if configuration.access == .readOnly { throw .readOnly }
        let (plan, options) = (plan, configuration.migration)
        try await pool.run { connection, _ throws(PersistencyError) in
            let migration = PostgresMigration(connection: connection, plan: plan, options: options)
            try migration.alone { () throws(PersistencyError) in
                try migration.transaction(locking: [PostgresJournal.table: .all]) { () throws(PersistencyError) in
                    try PostgresJournal.renew(on: connection)
                }
            }
        }
        await close()
    }
}

extension PersistencyError {
    static var readOnly: PersistencyError {
        .unavailable(Unavailable(.readOnly, "the store is open for reading only"))
    }
}
#endif
