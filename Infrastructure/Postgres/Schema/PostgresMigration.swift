#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Creates the tables, and adds new members of the schemas, in one transaction; indexes of existing tables follow it.
///
/// It changes only objects that the plan names. Others' objects remain as they are, or the migration is refused.
struct PostgresMigration: SQLMigration {
    let connection: PostgresConnection
    let plan: SQLPlan
    let options: MigrationOptions
    let ids: any IDGenerator = UUIDv7Generator()

    func apply() throws(PersistencyError) {
        try checkSchema()
        let known = try permitted()
        // An older program does not change the record of a newer one.
        if plan.schemas.evolution.version < known.record.version { return }
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
        let names = Set(try relations().keys)
        let record = try SQLSchemaRecord(connection).read()
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

    private func apply(_ pending: SchemaPlan, _ impact: PostgresImpact) throws(PersistencyError) {
        let now = Timestamp.now()
        try checkNames(impact)
        try PostgresDependents(connection: connection, relations: impact.before).refuse(impact.targets)
        try SQLSchemaRecord(connection).write(pending.nextRecord(at: now))
        if pending.record.items.isEmpty { try PostgresJournal.create(on: connection) }
        if !pending.steps.isEmpty {
            // The references and unique values of a step may be correct only after other steps.
            let uniques = impact.before.filter { impact.rewritten.contains($0.name) }.flatMap(\.keys)
            try drop(impact.before.flatMap(\.foreignKeys).map(\.name) + uniques)
        }
        try run(pending)
        try SQLUniqueCheck(connection).check(pending)
        try complete(existing: Set(impact.before.map(\.name)))
        if !pending.isAdditive { try PostgresJournal.noteSchemaChange(on: connection, at: now) }
    }

    /// Throws `incompatible` if a relation of another program has the name of a new table or index.
    private func checkNames(_ impact: PostgresImpact) throws(PersistencyError) {
        let (relations, before) = (try relations(), Set(impact.before.map(\.name)))
        for relation in impact.after {
            if !before.contains(relation.name), relations[relation.name] != nil {
                throw .foreign("the table \(relation.name)")
            }
            for name in relation.constraints.dropFirst().filter({ $0.target == nil }).map(\.name) + relation.indexes {
                guard let other = relations[name.name], !before.contains(other.table) else { continue }
                throw .foreign("the index \(name.name)")
            }
        }
    }

    func objects(_ schemas: SchemaSet, beside other: PostgresObjects?) throws(PersistencyError) -> PostgresObjects {
        PostgresObjects(connection: connection, plan: try SQLPlan(schemas))
    }

    /// Drops keys of other tables of the store, whose columns are removed later.
    func prepare(_ change: SQLTableChange) throws(PersistencyError) {
        guard case .drop = change.action else { return }
        let (before, after) = (change.before.relations, change.after.relations)
        let gone = Set(before.map(\.name)).subtracting(after.map(\.name))
        try drop(before.flatMap(\.foreignKeys).filter { gone.contains($0.target ?? "") }.map(\.name))
    }

    /// Renames or drops keys and indexes.
    func complete(_ change: SQLTableChange) throws(PersistencyError) {
        let (before, after) = (change.before.relations, change.after.relations)
        switch change.action {
        case .renameEntity, .renameMember: try renameKeys(of: before, as: after)
        case .drop(let item) where item.kind == .unique || item.kind == .index:
            try drop(before.flatMap(\.keys).filter { !after.names.contains($0) })
            try dropIndexes(of: before, except: after)
        case .drop, .add, .replace: break
        }
    }

    func lookups(of table: SQLTable) -> [String] {
        table.schema.uniques.map { PostgresDefinition.unique($0, of: table) }
    }
}

extension PersistencyError {
    fileprivate static func foreign(_ relation: String) -> PersistencyError {
        .incompatible("\(relation) belongs to another program: use another schema, or rename it")
    }
}
#endif
