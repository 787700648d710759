internal import LarderData
internal import LarderDomain

/// Runs a step: updates the rows of its entity's table with the results of the step's function, in batches.
struct SQLStepRun<Migration: SQLMigration> {
    private let migration: Migration
    private let step: MigrationStep
    private let before: Migration.Objects
    private let after: Migration.Objects
    private let tables: (before: SQLLayout, after: SQLLayout)
    private let old: SQLTable
    private let new: SQLTable
    private let transform: StepTransform
    private let columns: SQLStepColumns

    init(
        _ migration: Migration, _ step: MigrationStep, before: SchemaShape, after: SchemaShape
    ) throws(PersistencyError) {
        (self.migration, self.step) = (migration, step)
        self.before = try migration.objects(before.schemas(), beside: nil)
        self.after = try migration.objects(after.schemas(), beside: self.before)
        transform = try StepTransform(step, before: self.before.schemas, after: self.after.schemas)
        tables = (try SQLLayout(before), try SQLLayout(after))
        guard let old = tables.before[step.entity], let new = tables.after[step.entity] else {
            throw .unknownEntity(step.entity)
        }
        (self.old, self.new) = (old, new)
        columns = SQLStepColumns(step, from: old, to: new, migration.connection.dialect)
    }

    func run() throws(PersistencyError) {
        // The new lists, and the tables of new roots.
        let dialect = migration.connection.dialect
        for table in tables.after.tables where tables.before[table.name] == nil {
            for text in dialect.definitions(of: table) + migration.lookups(of: table) { try migration.run(text) }
        }
        let links = (Set(old.links.map(\.name)), Set(new.links.map(\.name)))
        for link in new.links where !links.0.contains(link.name) { try migration.run(dialect.definition(of: link)) }
        for text in columns.additions { try migration.run(text) }
        // One existential for all objects, because each conversion to it allocates memory.
        let context: any MigrationContext = SQLStepContext(
            session: migration.connection, objects: after, tables: tables.after, reshaping: transform.reshaping,
            ids: migration.ids)
        let work = "step '\(step.name)' of \(step.entity)"
        try migration.forEachBatch(of: step.entity, in: before, work: work) { objects throws(PersistencyError) in
            try change(objects, context)
        }
        for text in columns.removals { try migration.run(text) }
        for link in old.links where !links.1.contains(link.name) { try migration.run(link.drop) }
        for child in old.children where tables.after[child.name] == nil {
            for text in child.drops { try migration.run(text) }
        }
    }

    private func change(_ objects: [StorageObject], _ context: any MigrationContext) throws(PersistencyError) {
        var (pairs, added) = ([(old: StorageObject, new: StorageObject)](), [StorageObject]())
        var (removed, deleted) = ([RawID](), [RawID]())
        let isFlat = old.schema.isFlat && new.schema.isFlat
        for object in objects {
            let changed = try transform.apply(object, context)
            if let changed { pairs.append((object, changed)) } else { deleted.append(object.id) }
            if let changed, isFlat || !changesLists(object, changed) { continue }
            removed.append(object.id)
            if let changed { added.append(changed) }
        }
        if !old.schema.isFlat { try before.deleteOwned(by: removed, of: step.entity) }
        try before.delete(deleted, of: step.entity)
        try migration.connection.update(columns.update(pairs))
        try after.insertOwned(by: added)
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
