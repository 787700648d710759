package import LarderData
package import LarderDomain

/// A migration of a database to the declared schemas, in one transaction.
///
/// The changes of tables, the steps, and the derived values are the same for all databases; a conforming type locks and
/// checks what they concern, and creates keys and indexes.
package protocol SQLMigration {
    associatedtype Session: SQLMigrationSession
    associatedtype Objects: SQLObjects

    var connection: Session { get }
    var options: MigrationOptions { get }
    /// Creates the ids of objects that steps insert.
    var ids: any IDGenerator { get }

    /// The objects in a shape.
    ///
    /// - Parameter other: Objects in another shape that are used at the same time.
    func objects(_ schemas: SchemaSet, beside other: Objects?) throws(PersistencyError) -> Objects

    /// Called before the statements of a change.
    func prepare(_ change: SQLTableChange) throws(PersistencyError)

    /// Called after the statements of a change.
    func complete(_ change: SQLTableChange) throws(PersistencyError)

    /// The statements that create the indexes by which a step looks up the objects of a new table.
    func lookups(of table: SQLTable) -> [String]
}

extension SQLMigration {
    /// Runs the stages of a plan, and computes derived values.
    package func run(_ pending: SchemaPlan) throws(PersistencyError) {
        for stage in pending.stages {
            switch stage.work {
            case .structure(let actions):
                for change in try SQLTableChange.all(actions, from: stage.before) {
                    try prepare(change)
                    for statement in change.statements(connection.dialect) { try run(statement) }
                    try complete(change)
                }
            case .step(let step): try SQLStepRun(self, step, before: stage.before, after: stage.after).run()
            }
            connection.forgetStatements()
        }
        if pending.derived.isEmpty { return }
        let objects = try objects(pending.declared, beside: nil)
        for root in pending.declared.roots where pending.derived.contains(root.name) {
            guard let derivation = pending.declared.derivation(of: root) else { continue }
            try forEachBatch(of: root.name, in: objects, work: "derive \(root.name)") {
                roots throws(PersistencyError) in
                var pairs: [(old: StorageObject, new: StorageObject)] = []
                for root in roots { pairs.append((root, try root.derived(by: derivation))) }
                try write(pairs, root, objects)
            }
        }
        connection.forgetStatements()
    }

    /// Writes derived values, and lists of derived objects.
    private func write(
        _ pairs: [(old: StorageObject, new: StorageObject)], _ schema: EntitySchema, _ objects: Objects
    ) throws(PersistencyError) {
        let columns = schema.columns.map { (name: $0.name, type: $0.type) }
        try connection.update(SQLRowUpdate(schema.name, columns, pairs) { $1.values[$0] })
        let lists = pairs.map { old, new in
            var changes = ObjectChanges(from: old, to: new)
            changes.columns = []
            changes.children.removeAll { !schema.children[$0.relationship].schema.isDerived }
            return (id: old.id, changes: changes)
        }
        try objects.change(lists.filter { !$0.changes.children.isEmpty }, of: schema.name)
        for (index, child) in schema.children.enumerated() where !child.schema.isDerived {
            try write(
                pairs.flatMap { old, new in zip(old.children[index], new.children[index]).map { (old: $0, new: $1) } },
                child.schema, objects)
        }
    }

    /// Passes the objects of an entity to a body, in batches, and reports the progress.
    func forEachBatch(
        of entity: String, in objects: Objects, work: String,
        _ body: ([StorageObject]) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        let counts = try connection.rows("SELECT count(*) FROM \(SQLText.quoted(entity))", [], [.integer])
        guard case .integer(let total) = counts.first?.first else { return }
        var done = 0
        try objects.forEachBatch(of: entity) { batch throws(PersistencyError) in
            try body(batch)
            done += batch.count
            options.progress?(MigrationProgress(work: work, done: done, total: Int(total)))
        }
    }

    func run(_ statement: SQLQuery) throws(PersistencyError) {
        options.progress?(MigrationProgress(work: statement.text))
        if statement.values.isEmpty { return try connection.perform(statement.text) }
        try connection.rows(statement.text, statement.values, [])
    }

    package func run(_ text: String) throws(PersistencyError) { try run(SQLQuery(text: text, values: [])) }
}
