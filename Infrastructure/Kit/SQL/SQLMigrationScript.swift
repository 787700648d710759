internal import LarderData
internal import LarderDomain

/// The statements of a plan as a script for users, with comments in place of functions.
struct SQLMigrationScript {
    private(set) var texts: [String] = []
    /// The indexes that exist so far.
    private var indexes: Set<String>

    init(_ plan: SchemaPlan) throws(PersistencyError) {
        indexes = Set(try SQLLayout(SchemaShape(plan.record.items)).indexes.map(\.name))
        if plan.isEmpty { return }
        texts = ["PRAGMA foreign_keys = OFF;", "BEGIN IMMEDIATE;"]
        for stage in plan.stages {
            switch stage.work {
            case .structure(let actions): try add(actions, from: stage.before)
            case .step(let step):
                texts.append("-- step '\(step.name)' reads and rewrites each row of \(step.entity)")
                let (old, new) = (try SQLLayout(stage.before)[step.entity], try SQLLayout(stage.after)[step.entity])
                if let old, let new { indexes.subtract(SQLStepTable(step, from: old, to: new).droppedIndexes) }
            }
        }
        texts += plan.derived.sorted().map { "-- the derived columns of \($0) are computed" }
        for table in try SQLLayout(SchemaShape(plan.declared.items)).tables {
            for index in table.indexes where !indexes.contains(index.name) {
                let hasBlobs = table.schema.hasBlobs && index.table == table.name
                texts.append(SQLDefinition.index(index, hasBlobs: hasBlobs) + ";")
            }
        }
        texts += ["-- the schema and its history are recorded", "PRAGMA foreign_key_check;", "COMMIT;"]
    }

    private mutating func add(_ actions: [SchemaAction], from shape: SchemaShape) throws(PersistencyError) {
        var shape = shape
        for action in actions {
            let before = try SQLLayout(shape)
            for statement in try SQLMigration.statements([action], from: shape) {
                texts.append(statement.description + ";")
                for table in before.tables where statement.text == "DROP TABLE \(SQLText.quoted(table.name))" {
                    noteDrop(of: table.name, in: before)
                }
            }
            shape.apply(action)
            let after = Set(try SQLLayout(shape).indexes.map(\.name))
            for index in before.indexes where !after.contains(index.name) { indexes.remove(index.name) }
        }
    }

    /// A dropped table takes its indexes along.
    private mutating func noteDrop(of table: String, in layout: SQLLayout) {
        for index in layout.indexes where index.table == table { indexes.remove(index.name) }
    }
}
