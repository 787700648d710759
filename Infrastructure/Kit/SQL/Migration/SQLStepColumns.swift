internal import LarderData

/// The columns of a table before and after a step, and the statements between them. During the step, the rows have the
/// columns of both, or the new ones are in another table.
struct SQLStepColumns {
    /// A column after the step.
    private struct Target {
        let column: Column
        /// Its name during the step, when that of a removed column is in use.
        let name: String
        /// The index of the column before the step that has the same values; `nil` for a new one, which has its filler.
        let old: Int?
    }

    /// Before the rows are changed.
    private(set) var additions: [String] = []
    /// After the rows were changed.
    private(set) var removals: [String] = []
    /// The names of the indexes that the step drops. The declared ones are created again at the end of a migration.
    private(set) var droppedIndexes: [String] = []
    private let table: SQLTable
    private let targets: [Target]
    /// Whether the step copies the rows to a table with another definition, which replaces the old one.
    private let isRebuilt: Bool

    init(_ step: MigrationStep, from old: SQLTable, to new: SQLTable, _ dialect: any SQLDefinitionDialect) {
        table = new
        let rebuilds = dialect.rebuildsTables
        isRebuilt = rebuilds && dialect.definition(of: old) != dialect.definition(of: new)
        // In a table of the same definition, a replaced column has the rows of the old one.
        let replaced = Set(rebuilds ? [] : step.removes)
        targets = new.schema.columns.map { column in
            let found = old.schema.index(ofColumn: column.name)
            let isTaken = found != nil && replaced.contains(column.name)
            return Target(
                column: column, name: isTaken ? dialect.short("larder_new_\(column.name)") : column.name,
                old: isTaken ? nil : found)
        }
        if isRebuilt {
            // A replaced table takes its indexes along.
            droppedIndexes = old.indexes.filter { $0.table == old.name }.map(\.name)
            additions = [dialect.definition(of: new, named: SQLText.rebuilt)]
            removals = SQLText.replacement(of: old.name, as: new.name)
        } else if rebuilds {
            // A step also changes columns that it reads, and an index is faster to create than to change for each row.
            let added = step.adds.compactMap { member in if case .column(let column) = member { column } else { nil } }
            let columns = Set((step.reads + added).map(\.name))
            droppedIndexes = old.indexes.filter { $0.table == old.name && $0.columns.contains(where: columns.contains) }
                .map(\.name)
            additions = droppedIndexes.map { "DROP INDEX IF EXISTS \(SQLText.quoted($0))" }
        } else {
            alter(old.schema, replaced, dialect)
        }
    }

    private mutating func alter(_ old: EntitySchema, _ replaced: Set<String>, _ dialect: any SQLDefinitionDialect) {
        let (table, alter) = (table.name, "ALTER TABLE \(SQLText.quoted(table.name))")
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

    /// Updates the columns in which objects differ from their rows, or copies the rows.
    func update(_ pairs: [(old: StorageObject, new: StorageObject)]) -> SQLRowUpdate {
        if isRebuilt { return SQLRowUpdate(copying: table, pairs.map(\.new)) }
        return SQLRowUpdate(table.name, targets.map { ($0.name, $0.column.type) }, pairs) { index, old in
            targets[index].old.map { old.values[$0] } ?? targets[index].column.filler
        }
    }
}
