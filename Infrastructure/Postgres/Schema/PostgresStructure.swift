#if Postgres
internal import LarderData
internal import LarderInfrastructure

/// The statements that change the tables and columns of a database for one action. Keys, unique groups, and indexes are
/// dropped or renamed after them, and added at the end of a migration.
struct PostgresStructure {
    let before: SQLLayout
    let after: SQLLayout

    func statements(_ action: SchemaAction) -> [String] {
        switch action {
        case .renameEntity, .renameMember: SQLMigration(before: before, after: after).renames
        case .drop(let item): drop(item)
        case .replace(let items): replace(items)
        case .add(let items): add(items)
        }
    }

    private func drop(_ item: SchemaItem) -> [String] {
        guard let table = before[item.entity] else { return [] }
        switch item.kind {
        case .unique, .index: return []
        case .entity: return table.drops
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
        return new.schema.columns.filter { columns.contains($0.name) }.flatMap {
            PostgresDefinition.add($0, to: new.name)
        }
            + new.links.filter { links.contains($0.name) }.map(PostgresDefinition.links)
    }
}
#endif
