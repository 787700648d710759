internal import LarderData
internal import LarderDomain

/// Brings a database to the declared schemas, in one transaction: renames and removals, steps, additions, derived
/// columns, indexes, and the record.
///
/// Unknown columns that SQLite can fill are permitted: an earlier version of the program neither reads nor writes them.
/// Indexes with other names than those of the schemas are left unchanged, except on tables that are rebuilt.
struct SQLiteMigration: SQLMigration {
    let connection: SQLiteConnection
    let plan: SQLPlan
    var options = MigrationOptions()
    var now: @Sendable () -> Timestamp = Timestamp.now
    var ids: any IDGenerator = UUIDv7Generator()

    private var record: SQLiteSchemaRecord { SQLiteSchemaRecord(connection: connection) }

    /// The pending changes. Throws `incompatible` if they cannot be planned.
    func pending() throws(PersistencyError) -> SchemaPlan {
        try SchemaPlanner.plan(plan.schemas, over: record.read())
    }

    /// Applies the pending changes. Throws `incompatible` if the options or the data do not permit them; the database is
    /// unchanged then.
    func apply() throws(PersistencyError) {
        let pending = try pending()
        try pending.check(options)
        let isRecorded = try record.isCurrent()
        let hasItems = Set(pending.record.items) == Set(pending.result.items)
        // An older program does not change the record of a newer one.
        let isOlder = plan.schemas.evolution.version < pending.record.version
        if isOlder { return }
        if pending.isEmpty, isRecorded, hasItems, try missingIndexes().isEmpty { return }
        // Within a transaction, this cannot be changed.
        try connection.execute("PRAGMA foreign_keys = OFF")
        defer { try? connection.execute("PRAGMA foreign_keys = ON") }
        do throws(PersistencyError) {
            try connection.transaction(writes: true) { () throws(PersistencyError) in
                try apply(pending, recording: !isRecorded || !pending.isEmpty || !hasItems, isRecorded)
            }
        } catch {
            connection.forgetStatements()
            throw error
        }
    }

    private func apply(_ pending: SchemaPlan, recording: Bool, _ isRecorded: Bool) throws(PersistencyError) {
        if recording {
            // First, so that the record of a new database is in its first pages, where a truncated file still has it.
            let isChanged = !pending.isEmpty || !isRecorded
            let same = SchemaRecord(items: pending.result.items, history: pending.record.history)
            try record.write(isChanged ? pending.nextRecord(at: now()) : same)
        }
        try dropWordIndexes(pending)
        try run(pending)
        for index in try missingIndexes() { for text in index.definition { try run(text) } }
        if !pending.isAdditive { try SQLiteJournal(connection: connection).noteSchemaChange(at: now()) }
        if pending.record.items.isEmpty || pending.stages.isEmpty { return }
        // After the indexes, by which it searches.
        try SQLUniqueCheck(connection).check(pending)
        try connection.checkReferences()
    }

    func objects(_ schemas: SchemaSet, beside other: SQLiteObjects?) throws(PersistencyError) -> SQLiteObjects {
        SQLiteObjects(connection: connection, plan: try SQLPlan(schemas, beside: other?.plan))
    }

    func prepare(_ change: SQLTableChange) {}

    func complete(_ change: SQLTableChange) {}

    func lookups(of table: SQLTable) -> [String] {
        table.indexes.filter { $0.name != table.wordIndex }.flatMap {
            connection.dialect.definitions(of: $0, on: table)
        }
    }

    /// Drops the indexes of the words that the changes concern. The end of the migration creates them.
    private func dropWordIndexes(_ pending: SchemaPlan) throws(PersistencyError) {
        let dialect = connection.dialect
        let (old, new) = (
            try SQLLayout(SchemaShape(pending.record.items)), try SQLLayout(SchemaShape(pending.declared.items))
        )
        let changed = pending.derived.union(pending.steps.map(\.entity))
        for table in old.tables {
            guard let index = dialect.wordIndex(of: table), let owner = table.owner else { continue }
            let isKept = new[table.name].map { dialect.definition(of: $0) == dialect.definition(of: table) } ?? false
            if !isKept || changed.contains(owner) { try run(index.drop) }
        }
    }

    /// The declared indexes that do not exist: the name of each, its table, and the statements that create it.
    ///
    /// - Throws: `incompatible` for an index of words that another library has created, and this one cannot keep.
    func missingIndexes() throws(PersistencyError) -> [(name: String, table: String, definition: [String])] {
        let text = "SELECT name FROM sqlite_master WHERE type IN ('index', 'table') AND sql IS NOT NULL"
        let found = Set(try connection.rows(text, [], [.text]).map { $0[0] })
        let dialect = connection.dialect
        var missing: [(String, String, [String])] = []
        for table in plan.roots.flatMap(\.table.withDescendants) {
            for index in table.indexes {
                let (definition, isThere) = (
                    dialect.definitions(of: index, on: table), found.contains(.text(index.name))
                )
                if isThere, definition.isEmpty {
                    throw .incompatible(
                        "the database has the index \(index.name) of FTS5, which this SQLite library cannot keep: use one "
                            + "with FTS5, or restore a backup into a new database")
                }
                if !isThere, !definition.isEmpty { missing.append((index.name, table.name, definition)) }
            }
        }
        return missing
    }
}
