internal import LarderData

/// The columns of a table before and after a step, and the statements between them. The rows keep the old columns during
/// the step, which adds the new ones.
struct SQLStepColumns {
    /// A column after the step.
    private struct Target {
        let column: Column
        /// Its name during the step, when that of a removed column is in use.
        let name: String
        /// The index of the column before the step that has the same values; `nil` for a new one.
        let old: Int?
        /// The value of a new column in each row.
        let filler: Value
    }

    /// Before the rows are changed.
    private(set) var additions: [String] = []
    /// After the rows were changed.
    private(set) var removals: [String] = []
    /// The names of the indexes that the step drops. The declared ones are created again at the end of a migration.
    private(set) var droppedIndexes: [String] = []
    private let table: String
    private let targets: [Target]

    init(_ step: MigrationStep, from old: SQLTable, to new: SQLTable, _ dialect: any SQLDefinitionDialect) {
        table = new.name
        let rebuilds = dialect.rebuildsTables
        let isRebuilt = rebuilds && dialect.definition(of: old) != dialect.definition(of: new)
        // In a table of the same definition, a replaced column has the rows of the old one.
        let replaced = Set(rebuilds && !isRebuilt ? [] : step.removes)
        targets = new.schema.columns.map { column in
            let found = old.schema.index(ofColumn: column.name)
            // The rows of a table that is rebuilt cannot have `null` in a column before it permits that.
            let isOther = rebuilds && column.isNullable && found.map { !old.schema.columns[$0].isNullable } ?? false
            let index = replaced.contains(column.name) || isOther ? nil : found
            // SQLite does not distinguish the cases of names.
            let isTaken = index == nil && (rebuilds || found != nil)
            return Target(
                column: column, name: isTaken ? dialect.short("larder_new_\(column.name)") : column.name, old: index,
                filler: rebuilds ? .null : column.filler)
        }
        if rebuilds {
            rebuild(step, old, new, isRebuilt, dialect)
        } else {
            alter(old.schema, replaced, dialect)
        }
    }

    private mutating func rebuild(
        _ step: MigrationStep, _ old: SQLTable, _ new: SQLTable, _ isRebuilt: Bool, _ dialect: any SQLDefinitionDialect
    ) {
        let added = step.adds.compactMap { member in if case .column(let column) = member { column } else { nil } }
        // A step also changes columns that it reads, and an index is faster to create than to change for each row. A
        // replaced table takes its indexes along.
        let columns = Set((step.reads + added).map(\.name))
        droppedIndexes = old.indexes.filter { index in
            index.table == old.name && (isRebuilt || index.columns.contains(where: columns.contains))
        }.map(\.name)
        additions = droppedIndexes.map { "DROP INDEX IF EXISTS \(SQLText.quoted($0))" }
        if !isRebuilt { return }
        for target in targets where target.old == nil {
            let column = Column(name: target.name, type: target.column.type, isNullable: true)
            additions += dialect.additions(of: column, to: table)
        }
        let sources = Dictionary(targets.map { ($0.column.name, $0.name) }) { first, _ in first }
        removals = dialect.rebuild(old, as: new, from: sources)
    }

    private mutating func alter(_ old: EntitySchema, _ replaced: Set<String>, _ dialect: any SQLDefinitionDialect) {
        let alter = "ALTER TABLE \(SQLText.quoted(table))"
        // A table with pending checks, also of others, cannot be altered.
        removals = ["SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL DEFERRED"]
        let names = Set(targets.map(\.column.name))
        for column in old.columns where replaced.contains(column.name) || !names.contains(column.name) {
            removals.append("\(alter) DROP COLUMN \(SQLText.quoted(column.name))")
        }
        for target in targets {
            guard let index = target.old else {
                additions += dialect.additions(of: target.column, named: target.name, to: table)
                if target.name != target.column.name {
                    removals.append(SQLText.rename(target.name, to: target.column.name, in: table))
                }
                continue
            }
            let (before, after, column) = (old.columns[index], target.column, SQLText.quoted(target.name))
            if after.isNullable, !before.isNullable {
                additions.append("\(alter) ALTER COLUMN \(column) DROP NOT NULL")
            }
            if !after.isNullable, before.isNullable { removals.append("\(alter) ALTER COLUMN \(column) SET NOT NULL") }
            if before.defaultValue != after.defaultValue {
                let value = after.defaultValue.map { "SET DEFAULT \(dialect.constant($0))" } ?? "DROP DEFAULT"
                removals.append("\(alter) ALTER COLUMN \(column) \(value)")
            }
        }
    }

    /// Updates the columns in which objects differ from their rows.
    func update(_ pairs: [(old: StorageObject, new: StorageObject)]) -> SQLRowUpdate {
        SQLRowUpdate(table, targets.map { ($0.name, $0.column.type) }, pairs) { index, old in
            targets[index].old.map { old.values[$0] } ?? targets[index].filler
        }
    }
}
