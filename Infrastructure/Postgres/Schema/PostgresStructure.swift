#if Postgres
internal import LarderData
internal import LarderInfrastructure

/// The statements that change the tables of a database for one action. Foreign keys and indexes follow at the end of a
/// migration.
struct PostgresStructure {
    let before: SQLLayout
    let after: SQLLayout

    func statements(_ action: SchemaAction) -> [String] {
        switch action {
        case .renameEntity, .renameMember: SQLMigration(before: before, after: after).renames + dropForeignKeys
        case .drop(let item): drop(item)
        case .replace(let items): replace(items)
        case .add(let items): add(items)
        }
    }

    /// The names of foreign keys contain those of tables and columns, so they are created again.
    private var dropForeignKeys: [String] {
        zip(before.tables, after.tables).flatMap { old, new -> [String] in
            let tables = [new.name] + new.links.map(\.name)
            return PostgresDefinition.foreignKeys(old).flatMap { key in
                tables.map {
                    "ALTER TABLE \(SQLText.quoted($0)) DROP CONSTRAINT IF EXISTS \(SQLText.quoted(key.name))"
                }
            }
        }
    }

    private func drop(_ item: SchemaItem) -> [String] {
        guard let table = before[item.entity] else { return [] }
        switch item.kind {
        case .unique, .index:
            let names = Set(after.tables.flatMap(\.indexes).map(\.name))
            return table.indexes.filter { !names.contains($0.name) }.map {
                let name = SQLText.quoted(PostgresDefinition.short($0.name))
                return item.kind == .index
                    ? "DROP INDEX IF EXISTS \(name)"
                    : "ALTER TABLE \(SQLText.quoted(table.name)) DROP CONSTRAINT IF EXISTS \(name)"
            }
        case .entity: return table.drops.map { $0 + " CASCADE" }
        case .links: return table.links.filter { $0.name == item.entity + "_" + item.name }.map(\.drop)
        case .column:
            return ["ALTER TABLE \(SQLText.quoted(table.name)) DROP COLUMN \(SQLText.quoted(item.name))"]
        }
    }

    private func replace(_ items: [SchemaItem]) -> [String] {
        items.filter { $0.kind == .column && $0.isNullable }.map {
            "ALTER TABLE \(SQLText.quoted($0.entity)) ALTER COLUMN \(SQLText.quoted($0.name)) DROP NOT NULL"
        }
    }

    private func add(_ items: [SchemaItem]) -> [String] {
        guard let first = items.first, let new = after[first.entity] else { return [] }
        if items.contains(where: { $0.kind == .entity }) {
            return items.filter { $0.kind == .entity }.compactMap { after[$0.entity] }
                .flatMap(PostgresDefinition.tables)
        }
        let links = items.filter { $0.kind == .links }.map { item in item.entity + "_" + item.name }
        let columns = Set(items.filter { $0.kind == .column }.map(\.name))
        return new.schema.columns.filter { columns.contains($0.name) }.flatMap { add($0, to: new.name) }
            + new.links.filter { links.contains($0.name) }.map(PostgresDefinition.links)
    }

    /// A column that is computed later has a default until then.
    private func add(_ column: Column, to table: String) -> [String] {
        let alter = "ALTER TABLE \(SQLText.quoted(table))"
        let add = "\(alter) ADD COLUMN \(PostgresDefinition.column(column))"
        if column.isNullable || column.defaultValue != nil { return [add] }
        return [
            add + " DEFAULT \(PostgresDefinition.constant(column.type.someValue))",
            "\(alter) ALTER COLUMN \(SQLText.quoted(column.name)) DROP DEFAULT",
        ]
    }
}
#endif
