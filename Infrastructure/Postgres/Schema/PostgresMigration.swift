#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Creates the tables, and adds new members of the schemas, in one transaction; indexes of existing tables follow it.
///
/// It changes only objects that the plan names. Others' objects remain as they are, or the migration is refused.
struct PostgresMigration {
    let connection: PostgresConnection
    let plan: PostgresPlan
    let options: MigrationOptions

    func apply() throws(PersistencyError) {
        try checkSchema()
        let known = try permitted()
        // An older program does not change the record of a newer one.
        if isOlder(than: known) { return }
        if known.isEmpty, try !mayBuildIndexes() { return }
        try alone { () throws(PersistencyError) in
            let pending = try permitted()
            if !pending.isEmpty {
                let impact = try PostgresImpact(pending)
                try transaction(locking: impact.locks) { () throws(PersistencyError) in try apply(pending, impact) }
            }
            try buildIndexes()
        }
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

    /// The pending changes and their locks.
    func status() throws(PersistencyError) -> SchemaStatus {
        let pending = try pending()
        let impact = try PostgresImpact(pending)
        return SchemaStatus(
            pending,
            locks: impact.locks.sorted { $0.key < $1.key }.map { "\($0): \($1.description)" }
                + impact.builds.map { "\($0.table): none for its index \($0.name), which is built while others write" })
    }

    /// The pending changes. Throws `incompatible` if they cannot be planned, or the tables belong to another program.
    func pending() throws(PersistencyError) -> SchemaPlan {
        // The names before the record: another process may create both meanwhile.
        let names = try relations().names
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
        throw .foreign("the table \(name)")
    }

    private func permitted() throws(PersistencyError) -> SchemaPlan {
        let pending = try pending()
        try pending.check(options)
        return pending
    }

    private func isOlder(than pending: SchemaPlan) -> Bool {
        plan.schemas.evolution.version < pending.record.version
    }

    private func apply(_ pending: SchemaPlan, _ impact: PostgresImpact) throws(PersistencyError) {
        let record = PostgresSchemaRecord(connection: connection)
        let now = Timestamp.now()
        if pending.record.items.isEmpty {
            try record.write(SchemaRecord(creating: plan.schemas, at: now))
            for table in plan.tables { for text in PostgresDefinition.tables(table.table) { try run(text) } }
            try PostgresJournal.create(on: connection)
        } else {
            try checkNames(impact)
            try PostgresDependents(connection: connection, relations: impact.before).refuse(impact.targets)
            try record.write(pending.recorded(at: now))
            if !pending.steps.isEmpty {
                // The references and unique values of a step may be correct only after other steps.
                let uniques = impact.before.filter { impact.rewritten.contains($0.name) }.flatMap(keys)
                try drop(impact.before.flatMap { foreignKeys(of: $0) } + uniques)
            }
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
        try complete(existing: Set(impact.before.map(\.name)))
        if !pending.isAdditive { try PostgresJournal.noteSchemaChange(on: connection, at: now) }
    }

    /// Throws `incompatible` if a relation of another program has the name of a new table or index.
    private func checkNames(_ impact: PostgresImpact) throws(PersistencyError) {
        let (relations, before) = (try relations(), Set(impact.before.map(\.name)))
        for relation in impact.after {
            if !before.contains(relation.name), relations.names.contains(relation.name) {
                throw .foreign("the table \(relation.name)")
            }
            for name in relation.constraints.dropFirst().filter({ $0.target == nil }).map(\.name) + relation.indexes
            where relations.names.contains(name) && !before.contains(relations.indexes[name]?.table ?? "") {
                throw .foreign("the index \(name)")
            }
        }
    }

    /// Changes tables and columns.
    private func change(_ actions: [SchemaAction], from shape: SchemaShape) throws(PersistencyError) {
        var shape = shape
        for action in actions {
            let before = try SQLLayout(shape)
            shape.apply(action)
            let after = try SQLLayout(shape)
            if case .drop = action {
                // Keys of other tables of the store, whose columns are removed later.
                let gone = Set(before.relations.map(\.name)).subtracting(after.relations.map(\.name))
                try drop(before.relations.flatMap { foreignKeys(of: $0, to: gone) })
            }
            for text in PostgresStructure(before: before, after: after).statements(action) { try run(text) }
            switch action {
            case .renameEntity, .renameMember: try renameKeys(of: before.relations, as: after.relations)
            case .drop(let item) where item.kind == .unique || item.kind == .index:
                try drop(before.relations.flatMap(keys).filter { !after.relations.names.contains($0) })
                try dropIndexes(of: before.relations, except: after.relations)
            case .drop, .add, .replace: continue
            }
        }
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

extension PersistencyError {
    fileprivate static func foreign(_ relation: String) -> PersistencyError {
        .incompatible("\(relation) belongs to another program: use another schema, or rename it")
    }
}
#endif
