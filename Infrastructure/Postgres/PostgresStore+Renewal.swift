#if Postgres
public import LarderData
public import LarderDomain
internal import LarderInfrastructure

extension PostgresStore: RenewableStore {
    /// Changes the lifetime of all rows of the journal, and closes the store.
    public func renew() async throws(PersistencyError) {
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
#endif
