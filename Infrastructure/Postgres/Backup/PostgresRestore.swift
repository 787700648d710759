#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Creates and fills the tables of a backup's schemas. Tables of a replaced store with the same columns are emptied, so that
/// they keep the rights, comments, and options that others have given them.
struct PostgresRestore {
    private static let records = ["larder_schema", "larder_history", PostgresJournal.table]
    private let connection: PostgresConnection
    private let plan: SQLPlan
    private let replacing: Bool
    private let migration: PostgresMigration

    init(_ connection: PostgresConnection, _ plan: SQLPlan, replacing: Bool) {
        (self.connection, self.plan, self.replacing) = (connection, plan, replacing)
        migration = PostgresMigration(connection: connection, plan: plan, options: MigrationOptions())
    }

    /// The store that is replaced, if there is one. Throws if it must not be replaced, or if tables of another program have
    /// the names of new ones.
    @discardableResult func replaced() throws(PersistencyError) -> SQLPlan? {
        try migration.checkSchema()
        let record = try SQLSchemaRecord(connection).read()
        guard record.items.isEmpty || replacing else {
            throw .malformed("the schema of the database contains a store: replace it, or use another schema")
        }
        let old = record.items.isEmpty ? nil : try SQLPlan(SchemaShape(record.items).schemas())
        let own = old.map { $0.tableNames + Self.records } ?? []
        try migration.check(Set(migration.relations().keys).subtracting(own))
        return old
    }

    /// Restores in one transaction.
    ///
    /// - Parameters:
    ///   - path: The backup.
    ///   - check: Receives its description before the end.
    func run(
        _ path: String, _ progress: BackupProgress?, check: (Backup) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        try migration.alone { () throws(PersistencyError) in
            let old = try replaced()
            let names = old.map { $0.tableNames + Self.records } ?? []
            let locks = Dictionary(uniqueKeysWithValues: names.map { ($0, PostgresImpact.Lock.all) })
            try migration.transaction(locking: locks) { () throws(PersistencyError) in
                var reader = try BackupReader(path)
                let kept = try old.map(clear) ?? []
                try SQLSchemaRecord(connection).write(reader.head.record)
                for (name, text) in definitions(plan) where !kept.contains(name) { try connection.execute(text) }
                if old == nil {
                    try PostgresJournal.create(on: connection)
                } else {
                    try PostgresJournal.restart(on: connection)
                }
                try check(try reader.forEach(progress, insert))
                try checkUniques()
                do throws(PersistencyError) { try migration.complete() } catch { throw plan.dangling(error) ?? error }
            }
        }
    }

    /// The tables and their definitions.
    private func definitions(_ plan: SQLPlan) -> [(name: String, text: String)] {
        plan.tables.map(\.table).flatMap { table in
            Array(zip([table.name] + table.links.map(\.name), PostgresDialect().definitions(of: table)))
        }
    }

    /// Empties the tables of a store that the new one has, too, and drops the others.
    ///
    /// - Returns: The names of the emptied ones.
    private func clear(_ old: SQLPlan) throws(PersistencyError) -> Set<String> {
        let new = Dictionary(definitions(plan)) { first, _ in first }
        let kept = definitions(old).filter { new[$0.name] == $0.text }.map(\.name)
        let dropped = old.tableNames.filter { !kept.contains($0) }
        let relations = old.tables.map(\.table).flatMap(PostgresRelation.all)
        try PostgresDependents(connection: connection, relations: relations)
            .refuse(dropped.map { PostgresImpact.Target(table: $0) }, keysOnly: kept)
        // Rows are inserted faster without them; they are added at the end.
        try migration.drop(relations.flatMap(\.keys))
        try migration.dropIndexes(of: relations, except: plan.tables.map(\.table).flatMap(PostgresRelation.all))
        if !kept.isEmpty { try connection.execute("TRUNCATE \(SQLText.quoted(kept))") }
        if !dropped.isEmpty { try connection.execute("DROP TABLE \(SQLText.quoted(dropped))") }
        return Set(kept)
    }

    private func insert(_ roots: [StorageObject]) throws(PersistencyError) {
        var batches = PostgresBatches()
        for root in roots { batches.insert(root, [.integer(root.version)], try plan.root(root.schema)) }
        try connection.run(PostgresChangeWriter.ownedSteps(of: batches, plan))
    }

    private func checkUniques() throws(PersistencyError) {
        for root in plan.roots {
            for group in root.schema.uniques {
                let found = try SQLUniqueCheck(connection).duplicates(of: group, in: root.schema).first
                guard let existing = found?.id else { continue }
                let columns = group.map { root.schema.columns[$0].name }
                throw .duplicate(Duplicate(entity: root.schema.name, columns: columns, existing: existing))
            }
        }
    }
}
#endif
