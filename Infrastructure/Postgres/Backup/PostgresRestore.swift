#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Creates and fills the tables of a backup's schemas.
struct PostgresRestore {
    private static let records = ["larder_schema", "larder_history", PostgresJournal.table]
    private let connection: PostgresConnection
    private let plan: PostgresPlan
    private let replacing: Bool
    private let migration: PostgresMigration

    init(_ connection: PostgresConnection, _ plan: PostgresPlan, replacing: Bool) {
        (self.connection, self.plan, self.replacing) = (connection, plan, replacing)
        migration = PostgresMigration(connection: connection, plan: plan, options: MigrationOptions())
    }

    /// The tables of the store that is replaced. Throws if there is one that must not be replaced, or if tables of another
    /// program have the names of new ones.
    func oldTables() throws(PersistencyError) -> [String] {
        try migration.checkSchema()
        let record = try PostgresSchemaRecord(connection: connection).read()
        guard record.items.isEmpty || replacing else {
            throw .malformed("the schema of the database contains a store: replace it, or use another schema")
        }
        let old =
            record.items.isEmpty ? [] : try PostgresPlan(SchemaShape(record.items).schemas()).tableNames + Self.records
        try migration.check(migration.relationNames().subtracting(old))
        return old
    }

    /// Restores in one transaction.
    ///
    /// - Parameter check: Receives the description of the backup before the end.
    func run(
        _ reader: inout BackupReader, _ progress: BackupProgress?,
        check: (Backup) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        try migration.alone { () throws(PersistencyError) in
            let old = try oldTables()
            // Fails for tables on which views or references of other programs depend.
            if !old.isEmpty { try connection.execute("DROP TABLE \(SQLText.quoted(old))") }
            try PostgresSchemaRecord(connection: connection).write(reader.head.record)
            for table in plan.tables {
                for text in PostgresDefinition.tables(table.table) { try connection.execute(text) }
            }
            try PostgresJournal.create(on: connection)
            try check(try reader.forEach(progress, insert))
            try checkUniques()
            do throws(PersistencyError) { try migration.complete() } catch { throw plan.dangling(error) ?? error }
        }
    }

    private func insert(_ roots: [StorageObject]) throws(PersistencyError) {
        var batches = PostgresBatches()
        for root in roots { batches.insert(root, [.integer(root.version)], try plan.root(root.schema)) }
        try connection.run(PostgresChangeWriter.ownedSteps(of: batches, plan))
    }

    private func checkUniques() throws(PersistencyError) {
        for root in plan.roots {
            for group in root.schema.uniques {
                let columns = group.map { root.schema.columns[$0].name }
                guard let existing = try migration.duplicate(of: columns, in: root) else { continue }
                throw .duplicate(Duplicate(entity: root.schema.name, columns: columns, existing: existing))
            }
        }
    }
}
#endif
