#if Postgres
internal import LarderData
internal import LarderInfrastructure

/// The columns of a table before and after a step, and the statements between them.
struct PostgresStepColumns {
    /// A column after the step.
    private struct Target {
        let column: Column
        /// Its name during the step: that of a removed column is in use.
        let name: String
        /// The index of the column before the step that has the same values; `nil` for a new one.
        let old: Int?
        /// The value of a new column in each row.
        let filler: Value
    }

    /// Before the rows are changed.
    let additions: [String]
    /// After the rows were changed.
    let removals: [String]
    private let table: String
    private let targets: [Target]

    init(from old: EntitySchema, to new: EntitySchema, replacing replaced: Set<String>) {
        table = SQLText.quoted(new.name)
        let alter = "ALTER TABLE \(table)"
        targets = new.columns.map { column in
            let index = replaced.contains(column.name) ? nil : old.index(ofColumn: column.name)
            let isTaken = index == nil && old.index(ofColumn: column.name) != nil
            let name = isTaken ? PostgresDefinition.short("larder_new_\(column.name)") : column.name
            let filler = column.defaultValue ?? (column.isNullable ? .null : column.type.someValue)
            return Target(column: column, name: name, old: index, filler: filler)
        }
        let removed = old.columns.filter { replaced.contains($0.name) || new.index(ofColumn: $0.name) == nil }
        var (additions, removals) = ([String](), removed.map { "\(alter) DROP COLUMN \(SQLText.quoted($0.name))" })
        for target in targets {
            let quoted = SQLText.quoted(target.name)
            guard let index = target.old else {
                additions += PostgresDefinition.add(target.column, named: target.name, to: new.name)
                if target.name != target.column.name {
                    removals.append("\(alter) RENAME COLUMN \(quoted) TO \(SQLText.quoted(target.column.name))")
                }
                continue
            }
            let (before, after) = (old.columns[index], target.column)
            if after.isNullable, !before.isNullable {
                additions.append("\(alter) ALTER COLUMN \(quoted) DROP NOT NULL")
            }
            if !after.isNullable, before.isNullable { removals.append("\(alter) ALTER COLUMN \(quoted) SET NOT NULL") }
            if before.defaultValue != after.defaultValue {
                let value =
                    after.defaultValue.map { "SET DEFAULT \(PostgresDefinition.constant($0))" } ?? "DROP DEFAULT"
                removals.append("\(alter) ALTER COLUMN \(quoted) \(value)")
            }
        }
        (self.additions, self.removals) = (additions, removals)
    }

    /// Updates the columns in which objects differ from their rows.
    func updates(_ pairs: [(old: StorageObject, new: StorageObject)]) -> [PostgresStep] {
        func differs(_ index: Int, _ pair: (old: StorageObject, new: StorageObject)) -> Bool {
            pair.new.values[index] != targets[index].old.map { pair.old.values[$0] } ?? targets[index].filler
        }
        let changed = targets.indices.filter { index in pairs.contains { differs(index, $0) } }
        if changed.isEmpty { return [] }
        var rows = PostgresBatches.Lists([.id] + changed.map { SQLKind(targets[$0].column.type) })
        for pair in pairs where changed.contains(where: { differs($0, pair) }) {
            rows.append([.id(pair.old.id)] + changed.map { pair.new.values[$0] })
        }
        let lists = rows.kinds.enumerated().map { "$\($0 + 1)::\(PostgresDialect().type($1))[]" }
        let names = changed.indices.map { "v\($0)" }
        let assignments = zip(changed, names).map { "\(SQLText.quoted(targets[$0].name)) = new.\($1)" }
        let text =
            "UPDATE \(table) AS this SET \(assignments.joined(separator: ", ")) FROM "
            + "unnest(\(lists.joined(separator: ", "))) AS new (\((["id"] + names).joined(separator: ", "))) "
            + "WHERE this.\"id\" = new.id"
        return rows.parts.map { PostgresStep(text, $0.values) }
    }
}
#endif
