internal import LarderData
internal import LarderDomain

/// Runs a step: passes each row of its entity's table to the step's function, and updates the row, or copies it to a table
/// of the new shape, which replaces the old one.
struct SQLiteStepRun {
    private let migration: SQLiteMigration
    private let step: MigrationStep
    private let before: SQLPlan
    private let after: SQLPlan
    private let transform: StepTransform
    private let old: SQLTablePlan
    private let new: SQLTablePlan
    private let table: SQLStepTable

    private var connection: SQLiteConnection { migration.connection }

    init(
        _ migration: SQLiteMigration, _ step: MigrationStep, before: SchemaShape, after: SchemaShape
    ) throws(PersistencyError) {
        (self.migration, self.step) = (migration, step)
        self.before = try SQLPlan(before.schemas())
        // The statements of both are used on one connection.
        self.after = try SQLPlan(after.schemas(), beside: self.before)
        transform = try StepTransform(step, before: self.before.schemas, after: self.after.schemas)
        guard let old = self.before[step.entity], let new = self.after[step.entity] else {
            throw .unknownEntity(step.entity)
        }
        (self.old, self.new) = (old, new)
        table = SQLStepTable(step, from: old.table, to: new.table)
    }

    func run() throws(PersistencyError) {
        try createLists()
        if table.isUpdated {
            for index in table.droppedIndexes {
                try connection.execute("DROP INDEX IF EXISTS \(SQLText.quoted(index))")
            }
            try update()
        } else {
            try copy()
        }
        try dropLists()
    }

    private func update() throws(PersistencyError) {
        let updates = SQLiteRowUpdates(connection)
        try forEach { object, changed throws(PersistencyError) in
            guard let changed else {
                let statement = try connection.statement(old.deleteOne)
                try statement.bind(object.id, at: 1)
                return try statement.run()
            }
            try updates.update(object, to: changed)
        }
    }

    private func copy() throws(PersistencyError) {
        try connection.execute(SQLDefinition.objects(new.table, named: SQLMigration.rebuilt))
        let columns = new.table.columns
        let insert = try connection.uncached(
            "INSERT INTO \(SQLText.quoted(SQLMigration.rebuilt)) (\(SQLText.quoted(columns))) VALUES "
                + "(\(SQLText.placeholders(1...columns.count)))")
        try forEach { object, changed throws(PersistencyError) in
            if let changed { try copy(object, changed, insert) }
        }
        for text in SQLMigration.replacement(of: step.entity) { try connection.execute(text) }
    }

    /// Passes each object and the result of the step's function to a body that writes the row, and writes the lists.
    private func forEach(
        _ write: (StorageObject, StorageObject?) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        // One existential for all objects, because each conversion to it allocates memory.
        let context: any MigrationContext = SQLiteStepContext(connection, after, transform.reshaping, migration.ids)
        let isFlat = old.schema.isFlat && new.schema.isFlat
        let batches = SQLiteBatches(
            connection: connection, plan: old, work: "step '\(step.name)' of \(step.entity)", report: migration.report)
        try batches.forEach { object throws(PersistencyError) in
            let changed = try transform.apply(object, context)
            try write(object, changed)
            if let changed, isFlat || !changesLists(object, changed) { return }
            try applier(before).deleteOwned(by: object.id, old)
            if let changed { try applier(after).insertOwned(by: changed, new) }
        }
    }

    private func applier(_ plan: SQLPlan) -> SQLiteChangeApplier {
        SQLiteChangeApplier(connection: connection, plan: plan)
    }

    private func copy(
        _ object: StorageObject, _ changed: StorageObject, _ insert: SQLiteStatement
    ) throws(PersistencyError) {
        try insert.bind(object.id, at: 1)
        if old.table.owner == nil {
            try insert.bind(object.version, at: 2)
            try insert.bind(changed.values, from: 3)
        } else {
            let place = try place(of: object.id)
            try insert.bind([place.owner, place.position] + changed.values, from: 2)
        }
        guard try insert.insert(keepsValues: true) else { throw .incompatible("\(object.reference) exists twice") }
    }

    private func changesLists(_ object: StorageObject, _ changed: StorageObject) -> Bool {
        let common = transform.reshaping.commonLists
        return common.children.contains { object.children[$0.old] != changed.children[$0.new] }
            || common.links.contains { object.links[$0.old] != changed.links[$0.new] }
            || changed.children.joined().count + changed.links.joined().count
                != common.children.reduce(0) { $0 + changed.children[$1.new].count }
                + common.links.reduce(0) { $0 + changed.links[$1.new].count }
    }

    /// The owner of an owned object, and its position there.
    private func place(of id: RawID) throws(PersistencyError) -> (owner: Value, position: Value) {
        let columns = SQLText.quoted(Array(old.table.keyColumns.dropFirst()))
        let statement = try connection.statement(
            "SELECT \(columns) FROM \(SQLText.quoted(old.table.name)) WHERE \(SQLText.quoted("id")) = ?1")
        defer { statement.finish() }
        try statement.bind(id, at: 1)
        guard try statement.step() else { throw .incompatible("\(old.table.name) \(id) has disappeared") }
        return (statement.value(0, .id), statement.value(1, .integer))
    }

    private func createLists() throws(PersistencyError) {
        for table in after.roots.flatMap(\.table.withDescendants) where before[table.name] == nil {
            for text in SQLDefinition.tables(table) { try connection.execute(text) }
            // The step looks up objects by their unique values.
            for index in table.indexes {
                try connection.execute(
                    SQLDefinition.index(index, hasBlobs: table.schema.hasBlobs && index.table == table.name))
            }
        }
        let links = Set(old.links.map(\.table.name))
        for link in new.table.links where !links.contains(link.name) {
            try connection.execute(SQLDefinition.links(link))
        }
    }

    /// Drops the tables of lists that end with the step.
    private func dropLists() throws(PersistencyError) {
        for link in old.table.links where !new.table.links.contains(where: { $0.name == link.name }) {
            try connection.execute(link.drop)
        }
        for child in old.table.children where after[child.name] == nil {
            for text in child.drops { try connection.execute(text) }
        }
    }
}
