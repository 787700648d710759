#if Postgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

/// Runs a step: updates the rows of its entity's table with the results of the step's function, in batches. The table
/// stays, with everything that others have attached to it. Foreign keys and unique groups were dropped before, and are
/// created again at the end of the migration.
struct PostgresStepRun {
    private let migration: PostgresMigration
    private let step: MigrationStep
    private let before: PostgresPlan
    private let after: PostgresPlan
    private let transform: StepTransform
    private let old: PostgresTable
    private let new: PostgresTable
    private let columns: PostgresStepColumns

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
        columns = PostgresStepColumns(from: old.schema, to: new.schema, replacing: Set(step.removes))
    }

    func run() throws(PersistencyError) {
        try createLists()
        for text in columns.additions { try migration.run(text) }
        try PostgresReading(connection: migration.connection).forEachBatch(old, change)
        // A table with pending checks, also of others, cannot be altered.
        try migration.run("SET CONSTRAINTS ALL IMMEDIATE")
        try migration.run("SET CONSTRAINTS ALL DEFERRED")
        for text in columns.removals { try migration.run(text) }
        for link in old.table.links where !new.table.links.contains(where: { $0.name == link.name }) {
            try migration.run(link.drop)
        }
        for child in old.table.children where after[child.name] == nil {
            for text in child.drops { try migration.run(text) }
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
        var (removed, added) = (PostgresBatches(), PostgresBatches())
        var deleted: [RawID] = []
        var pairs: [(old: StorageObject, new: StorageObject)] = []
        for object in objects {
            let changed = try transform.apply(object, context)
            if let changed { pairs.append((object, changed)) } else { deleted.append(object.id) }
            if let changed, !changesLists(object, changed) { continue }
            if !old.schema.isFlat { removed.delete(object.id, of: nil, old) }
            if let changed { added.insertOwned(by: changed, new) }
        }
        let deletions = (removed.deleted[step.entity]?.parts ?? []).flatMap { part in
            old.deleteOwned.map { PostgresStep($0, [part.values[0]]) }
        }
        let ends = deleted.isEmpty ? [] : [PostgresStep(old.delete, [.blob(PostgresArray.bytes(deleted))])]
        try migration.connection.run(
            deletions + ends + columns.updates(pairs) + PostgresChangeWriter.ownedSteps(of: added, after))
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
