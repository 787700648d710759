#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Runs a step: copies each row of its entity's table through the step's function to a table of the new shape, which
/// replaces the old one. Foreign keys were dropped before, and are created again at the end of the migration.
struct PostgresStepRun {
    private static let rebuilt = "larder_rebuilt"
    private let migration: PostgresMigration
    private let step: MigrationStep
    private let before: PostgresPlan
    private let after: PostgresPlan
    private let transform: StepTransform
    private let old: PostgresTable
    private let new: PostgresTable

    init(
        _ migration: PostgresMigration, _ step: MigrationStep, before: SchemaShape, after: SchemaShape
    ) throws(PersistencyError) {
        (self.migration, self.step) = (migration, step)
        (self.before, self.after) = (try PostgresPlan(before.schemas()), try PostgresPlan(after.schemas()))
        transform = try StepTransform(step, before: self.before.schemas, after: self.after.schemas)
        guard let old = self.before[step.entity], let new = self.after[step.entity] else {
            throw .unknownEntity(step.entity)
        }
        (self.old, self.new) = (old, new)
    }

    func run() throws(PersistencyError) {
        try createLists()
        let name = SQLText.quoted(step.entity)
        try migration.run(PostgresDefinition.objects(new.table, named: Self.rebuilt))
        try PostgresReading(connection: migration.connection).forEachBatch(old, change)
        try migration.run("SET CONSTRAINTS ALL IMMEDIATE")
        try migration.run("DROP TABLE \(name) CASCADE")
        try migration.run("ALTER TABLE \(Self.rebuilt) RENAME TO \(name)")
        let key = SQLText.quoted(PostgresDefinition.short(step.entity + "_pkey"))
        try migration.run("ALTER TABLE \(name) RENAME CONSTRAINT \(Self.rebuilt)_pkey TO \(key)")
        for link in old.table.links where !new.table.links.contains(where: { $0.name == link.name }) {
            try migration.run(link.drop)
        }
        for child in old.table.children where after[child.name] == nil {
            for text in child.drops { try migration.run(text + " CASCADE") }
        }
    }

    /// Creates the tables of new roots and lists, with the indexes by which the step looks up objects.
    private func createLists() throws(PersistencyError) {
        for table in after.tables.map(\.table) where before[table.name] == nil {
            for text in PostgresDefinition.tables(table) { try migration.run(text) }
            for group in table.schema.uniques { try migration.run(PostgresDefinition.unique(group, of: table)) }
        }
        let links = Set(old.table.links.map(\.name))
        for link in new.table.links where !links.contains(link.name) {
            try migration.run(PostgresDefinition.links(link))
        }
    }

    private func change(_ objects: [StorageObject]) throws(PersistencyError) {
        let context: any MigrationContext = PostgresStepContext(
            connection: migration.connection, plan: after, reshaping: transform.reshaping)
        let owners = try owners(of: objects)
        var (removed, added) = (PostgresBatches(), PostgresBatches())
        var rows = PostgresBatches.Lists(new.table.columnKinds)
        for object in objects {
            let changed = try transform.apply(object, context)
            if let changed {
                // The position of an owned object is read as its version.
                rows.append(
                    [.id(object.id)] + (owners[object.id].map { [$0] } ?? []) + [.integer(object.version)]
                        + changed.values)
            }
            if let changed, !changesLists(object, changed) { continue }
            if !old.schema.isFlat { removed.delete(object.id, of: nil, old) }
            if let changed { added.insertOwned(by: changed, new) }
        }
        let deletions = (removed.deleted[step.entity]?.parts ?? []).flatMap { part in
            old.deleteOwned.map { PostgresStep($0, [part.values[0]]) }
        }
        let insertions = rows.parts.map { PostgresStep(new.table.insertion(into: Self.rebuilt), $0.values) }
        try migration.connection.run(deletions + insertions + PostgresChangeWriter.ownedSteps(of: added, after))
    }

    /// The owners of owned objects.
    private func owners(of objects: [StorageObject]) throws(PersistencyError) -> [RawID: Value] {
        guard let owner = old.table.owner else { return [:] }
        let rows = try migration.connection.run(
            "SELECT \"id\", \(SQLText.quoted(owner)) FROM \(SQLText.quoted(step.entity)) WHERE \"id\" = ANY ($1::uuid[])",
            [.blob(PostgresArray.bytes(objects.map(\.id)))])
        var owners: [RawID: Value] = [:]
        while rows.advance() { owners[try rows.id(0)] = rows.value(1, .id) }
        return owners
    }

    private func changesLists(_ object: StorageObject, _ changed: StorageObject) -> Bool {
        let common = transform.reshaping.commonLists
        return common.children.contains { object.children[$0.old] != changed.children[$0.new] }
            || common.links.contains { object.links[$0.old] != changed.links[$0.new] }
            || changed.children.joined().count + changed.links.joined().count
                != common.children.reduce(0) { $0 + changed.children[$1.new].count }
                + common.links.reduce(0) { $0 + changed.links[$1.new].count }
    }
}
#endif
