#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Creates the tables, and adds what the schemas have gained, in one transaction.
struct PostgresMigration {
    let connection: PostgresConnection
    let plan: PostgresPlan
    let options: MigrationOptions

    func apply() throws(PersistencyError) {
        try checkSchema()
        if try permitted().isEmpty { return }
        try alone { () throws(PersistencyError) in try apply(permitted()) }
    }

    /// Checks that the store exists and can be read as it is. Creates and changes nothing.
    func checkReadable() throws(PersistencyError) {
        try checkSchema()
        let pending = try pending()
        if pending.record.items.isEmpty {
            throw .incompatible(
                "the database contains no store in the PostgreSQL schema of the configuration, and reading creates none: "
                    + "check the name of the database, or create the store with a command that writes")
        }
        // An index changes no answer.
        if !pending.concernsIndexesOnly { try pending.check(MigrationOptions(mode: .none)) }
    }

    /// Runs a body in a transaction, while no other process changes the tables of the PostgreSQL schema.
    func alone(_ body: () throws(PersistencyError) -> Void) throws(PersistencyError) {
        // A migration of a large database takes long, also in another process.
        try connection.waiting(upTo: nil) { () throws(PersistencyError) in try transaction(body) }
    }

    private func transaction(_ body: () throws(PersistencyError) -> Void) throws(PersistencyError) {
        // Each statement sees what the process before has committed.
        try connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
        do throws(PersistencyError) {
            try connection.execute(
                """
                SET LOCAL lock_timeout TO '10min';
                SET LOCAL statement_timeout TO 0;
                SET LOCAL idle_in_transaction_session_timeout TO 0
                """)
            try connection.run("SELECT pg_advisory_xact_lock(hashtextextended('larder ' || current_schema(), 0))")
            try body()
            try connection.execute("COMMIT")
        } catch {
            _ = try? connection.execute("ROLLBACK")
            throw error
        }
    }

    /// The pending changes. Throws `incompatible` if they cannot be planned, or the tables belong to another program.
    func pending() throws(PersistencyError) -> SchemaPlan {
        // The names before the record: another process may create both meanwhile.
        let names = try relationNames()
        let record = try PostgresSchemaRecord(connection: connection).read()
        if record.items.isEmpty { try check(names) }
        return try SchemaPlanner.plan(plan.schemas, over: record)
    }

    /// Throws `unavailable` if the PostgreSQL schema does not exist.
    func checkSchema() throws(PersistencyError) {
        guard try connection.run("SELECT 1 WHERE current_schema() IS NOT NULL").advance() else {
            throw .malformed(
                "the PostgreSQL schema of the configuration does not exist, or the user has no right to use it: "
                    + "create it first (CREATE SCHEMA), or grant the right USAGE on it")
        }
    }

    /// Throws `incompatible` if a relation of another program has the name of a table of the plan.
    func check(_ others: Set<String>) throws(PersistencyError) {
        guard let name = plan.tableNames.first(where: others.contains) else { return }
        throw .incompatible("the table \(name) belongs to another program: use another schema")
    }

    private func permitted() throws(PersistencyError) -> SchemaPlan {
        let pending = try pending()
        try pending.check(options)
        return pending
    }

    private func apply(_ pending: SchemaPlan) throws(PersistencyError) {
        let record = PostgresSchemaRecord(connection: connection)
        let isOlder = plan.schemas.evolution.version < pending.record.version
        // An older program does not change the record of a newer one.
        if pending.isEmpty || isOlder { return }
        let now = Timestamp.now()
        if pending.record.items.isEmpty {
            try record.write(SchemaRecord(creating: plan.schemas, at: now))
            for table in plan.tables { for text in PostgresDefinition.tables(table.table) { try run(text) } }
            try PostgresJournal.create(on: connection)
        } else {
            try record.write(pending.recorded(at: now))
            if !pending.steps.isEmpty { try dropForeignKeys() }
            for stage in pending.stages {
                switch stage.work {
                case .structure(let actions): try change(actions, from: stage.before)
                case .step(let step):
                    options.progress?(MigrationProgress(work: "step '\(step.name)' of \(step.entity)"))
                    try PostgresStepRun(self, step, before: stage.before, after: stage.after).run()
                }
            }
        }
        try derive(pending.derived)
        try checkUniques(pending)
        try complete()
        if !pending.isAdditive { try PostgresJournal.noteSchemaChange(on: connection, at: now) }
    }

    /// Changes tables and columns.
    private func change(_ actions: [SchemaAction], from shape: SchemaShape) throws(PersistencyError) {
        var shape = shape
        for action in actions {
            let before = try SQLLayout(shape)
            shape.apply(action)
            for text in PostgresStructure(before: before, after: try SQLLayout(shape)).statements(action) {
                try run(text)
            }
        }
    }

    /// Adds missing foreign keys and indexes.
    func complete() throws(PersistencyError) {
        let keys = try names("SELECT conname FROM pg_constraint WHERE contype IN ('f', 'x') AND connamespace = ")
        for table in plan.tables.map(\.table) {
            for key in PostgresDefinition.foreignKeys(table) where !keys.contains(key.name) { try run(key.text) }
            let uniques = Dictionary(
                table.schema.uniques.map { (PostgresDefinition.uniqueName($0, of: table), $0) }
            ) { first, _ in first }
            for (name, group) in uniques where !keys.contains(name) {
                try run(PostgresDefinition.unique(group, of: table))
            }
            for index in table.indexes where uniques[PostgresDefinition.short(index.name)] == nil {
                try run(PostgresDefinition.index(index, of: table))
            }
        }
    }

    /// The names of all tables, indexes and other relations in the PostgreSQL schema.
    func relationNames() throws(PersistencyError) -> Set<String> {
        try names("SELECT relname::text FROM pg_class WHERE relnamespace = ")
    }

    private func names(_ selection: String) throws(PersistencyError) -> Set<String> {
        let rows = try connection.run("\(selection)\(PostgresConnection.schemaID)")
        var names: Set<String> = []
        while rows.advance() { names.insert(rows.text(0)) }
        return names
    }

    /// Steps may have references that are resolved at the end.
    private func dropForeignKeys() throws(PersistencyError) {
        let keys = try connection.run(
            "SELECT conrelid::regclass::text, conname FROM pg_constraint WHERE contype = 'f' AND connamespace = "
                + PostgresConnection.schemaID)
        while keys.advance() { try run("ALTER TABLE \(keys.text(0)) DROP CONSTRAINT \(SQLText.quoted(keys.text(1)))") }
    }

    func run(_ text: String) throws(PersistencyError) {
        options.progress?(MigrationProgress(work: text))
        try connection.execute(text)
    }

    /// Computes the derived columns and lists of stored objects, in batches. Versions do not change.
    private func derive(_ roots: Set<String>) throws(PersistencyError) {
        for root in plan.roots where roots.contains(root.schema.name) {
            guard let derivation = plan.schemas.derivation(of: root.schema) else { continue }
            try PostgresReading(connection: connection).forEachBatch(root) { objects throws(PersistencyError) in
                var batches = PostgresBatches()
                for object in objects { batches.derive(object, to: try object.derived(by: derivation), root) }
                try connection.run(PostgresChangeWriter.ownedSteps(of: batches, plan))
            }
        }
    }

    /// Throws `incompatible` for rows that share the values of a new unique group.
    private func checkUniques(_ pending: SchemaPlan) throws(PersistencyError) {
        for item in pending.actions.flatMap(\.added) where item.kind == .unique {
            let columns = item.name.split(separator: ", ").map(String.init)
            guard let table = plan[item.entity], let id = try duplicate(of: columns, in: table) else { continue }
            throw .incompatible(
                "objects of \(item.entity) have the same \(item.name), which must be unique, for example \(id): "
                    + "change or delete them first")
        }
    }

    /// The lowest id of rows that have the same values in some columns.
    func duplicate(of columns: [String], in table: PostgresTable) throws(PersistencyError) -> RawID? {
        let names = columns.map(SQLText.quoted)
        let found = try connection.run(
            "SELECT min(\"id\"::text)::uuid FROM \(SQLText.quoted(table.table.name)) WHERE "
                + names.map { $0 + " IS NOT NULL" }.joined(separator: " AND ")
                + " GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1")
        return found.advance() ? try found.id(0) : nil
    }
}
#endif
