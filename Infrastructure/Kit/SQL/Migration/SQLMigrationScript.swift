internal import LarderData
internal import LarderDomain

/// The statements of a plan as a script for users, with comments in place of functions.
struct SQLMigrationScript {
    private(set) var texts: [String] = []
    /// The indexes that exist so far.
    private var indexes: Set<String>
    private let dialect: any SQLDefinitionDialect

    init(_ plan: SchemaPlan, _ dialect: any SQLDefinitionDialect) throws(PersistencyError) {
        self.dialect = dialect
        indexes = Set(try SQLLayout(SchemaShape(plan.record.items)).indexes.map(\.name))
        if plan.isEmpty { return }
        texts = ["PRAGMA foreign_keys = OFF;", "BEGIN IMMEDIATE;"]
        for stage in plan.stages {
            switch stage.work {
            case .structure(let actions):
                for change in try SQLTableChange.all(actions, from: stage.before) { add(change) }
            case .step(let step):
                texts.append("-- step '\(step.name)' reads and rewrites each row of \(step.entity)")
                let (old, new) = (try SQLLayout(stage.before)[step.entity], try SQLLayout(stage.after)[step.entity])
                if let old, let new {
                    indexes.subtract(SQLStepColumns(step, from: old, to: new, dialect).droppedIndexes)
                }
            }
        }
        texts += plan.derived.sorted().map { "-- the derived columns of \($0) are computed" }
        for table in try SQLLayout(SchemaShape(plan.declared.items)).tables {
            for index in table.indexes where !indexes.contains(index.name) {
                texts += dialect.definitions(of: index, on: table).map { $0 + ";" }
            }
        }
        texts += ["-- the schema and its history are recorded", "PRAGMA foreign_key_check;", "COMMIT;"]
    }

    private mutating func add(_ change: SQLTableChange) {
        let after = Set(change.after.indexes.map(\.name))
        for statement in change.statements(dialect) {
            // With the value in place of the parameter.
            let text = statement.values.first.map { statement.text.replacing("?1", with: "\($0)") } ?? statement.text
            texts.append(text + ";")
            // A dropped table takes its indexes along.
            for index in change.before.indexes where statement.text == "DROP TABLE \(SQLText.quoted(index.table))" {
                indexes.remove(index.name)
            }
        }
        for index in change.before.indexes where !after.contains(index.name) { indexes.remove(index.name) }
    }
}
