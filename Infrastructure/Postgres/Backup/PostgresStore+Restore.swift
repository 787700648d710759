#if Postgres
public import LarderData
public import LarderDomain
public import LarderInfrastructure

extension PostgresStore {
    /// Creates the tables of a store from a backup, as the store was at its last commit. Opening it migrates older schemas,
    /// with the options of that call.
    ///
    /// The backup is read and checked completely before anything is written; then it is read again into new tables, in one
    /// transaction, which also checks uniqueness and references. A failed or interrupted restore leaves the database as it
    /// was; if the connection is lost at the end, the store is the old or the new one. Tokens of the store that was backed
    /// up, and of a replaced one, are not valid for the new one. A store that is open while it is
    /// replaced refuses commits, and its streams end.
    ///
    /// - Parameters:
    ///   - backup: The path of the backup.
    ///   - configuration: The database, and the PostgreSQL schema, which must exist. Tables with other names in it remain.
    ///     Tables of a replaced store that are the same in the backup are emptied, and keep others' objects.
    ///   - schemas: The schemas of the program that will open the store.
    ///   - replacing: Whether an existing store is replaced.
    ///   - progress: Receives the number of roots; called on a thread of its own.
    /// - Throws: The errors of `Backup.verify(_:progress:)`; `duplicate` or `dangling` for a backup that no store has
    ///   written; `incompatible` for schemas that this program could not open, tables of another program, or objects of
    ///   others that depend on tables that are replaced; `unavailable` if the store exists and must not be replaced, or
    ///   the server cannot be reached.
    /// - Complexity: O(*n* log *n*) time, with one record of the backup in memory.
    @discardableResult
    public static func restore(
        _ backup: String, to configuration: Configuration, schemas: SchemaSet, replacing: Bool = false,
        progress: BackupProgress? = nil
    ) async throws(PersistencyError) -> Backup {
        try await StoreThread(label: "store.postgres.restore").run { () throws(PersistencyError) in
            var checked = try BackupReader(backup)
            _ = try SchemaPlanner.plan(schemas, over: checked.head.record)
            _ = try SQLPlan(schemas)
            let restore = PostgresRestore(
                try PostgresConnection(configuration), try SQLPlan(checked.head.schemas), replacing: replacing)
            try restore.replaced()
            let description = try checked.forEach()
            try restore.run(backup, progress) { restored throws(PersistencyError) in
                // The file was changed in between.
                guard restored == description else {
                    throw .incompatible("\(backup) has changed in the meantime")
                }
            }
            return description
        }
    }
}
#endif
