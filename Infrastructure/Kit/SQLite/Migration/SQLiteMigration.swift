internal import LarderData
internal import LarderDomain

/// Brings a database to the declared schemas, in one transaction: renames and removals, steps, additions, derived
/// columns, indexes, and the record.
///
/// Unknown columns that SQLite can fill are permitted: an earlier version of the program neither reads nor writes them.
/// Indexes with other names than those of the schemas are left unchanged, except on tables that are rebuilt.
struct SQLiteMigration {
    let connection: SQLiteConnection
    let plan: SQLPlan
    var options = MigrationOptions()
    var now: @Sendable () -> Timestamp = Timestamp.now
    /// Creates the ids of objects that steps insert.
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
        try connection.beginWriting()
        do throws(PersistencyError) {
            try apply(pending, recording: !isRecorded || !pending.isEmpty || !hasItems, isRecorded)
            try connection.commit()
        } catch {
            connection.rollBack()
            connection.forgetStatements()
            throw error
        }
    }

    private func apply(_ pending: SchemaPlan, recording: Bool, _ isRecorded: Bool) throws(PersistencyError) {
        if recording {
            // First, so that the record of a new database is in its first pages, where a truncated file still has it.
            var record = SchemaRecord(items: pending.result.items, history: pending.record.history)
            if pending.record.items.isEmpty {
                record = SchemaRecord(creating: plan.schemas, at: now())
            } else if !pending.isEmpty || !isRecorded {
                record = pending.recorded(at: now())
            }
            try self.record.write(record)
        }
        for stage in pending.stages {
            switch stage.work {
            case .structure(let actions):
                for statement in try SQLMigration.statements(actions, from: stage.before) { try run(statement) }
            case .step(let step):
                try SQLiteStepRun(self, step, before: stage.before, after: stage.after).run()
            }
            connection.forgetStatements()
        }
        try SQLiteDerivation(
            connection: connection, plan: plan, roots: pending.derived, report: report,
            updates: SQLiteRowUpdates(connection)
        ).fill()
        for (table, index) in try missingIndexes() {
            try run(
                .init(text: SQLDefinition.index(index, hasBlobs: table.schema.hasBlobs && index.table == table.name)))
        }
        if !pending.isAdditive { try SQLiteJournal(connection: connection).noteSchemaChange(at: now()) }
        if pending.record.items.isEmpty || pending.stages.isEmpty { return }
        try SQLiteMigrationCheck(connection: connection, plan: plan).check(pending)
    }

    private func run(_ statement: SQLMigration.Statement) throws(PersistencyError) {
        report(MigrationProgress(work: statement.text))
        let prepared = try connection.statement(statement.text)
        try prepared.bind(statement.values, from: 1)
        try prepared.run()
    }

    func report(_ progress: MigrationProgress) { options.progress?(progress) }

    /// The declared indexes that do not exist, with the tables that declare them.
    func missingIndexes() throws(PersistencyError) -> [(table: SQLTable, index: SQLIndex)] {
        let statement = try connection.statement(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        defer { statement.finish() }
        var found: Set<String> = []
        while try statement.step() { found.insert(statement.text(0)) }
        return plan.roots.flatMap(\.table.withDescendants).flatMap { table in
            table.indexes.filter { !found.contains($0.name) }.map { (table, $0) }
        }
    }
}
