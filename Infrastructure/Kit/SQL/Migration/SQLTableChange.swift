internal import LarderData
package import LarderDomain

/// The change of the tables of a database by one action, and its statements.
package struct SQLTableChange {
    package let action: SchemaAction
    package let before: SQLLayout
    package let after: SQLLayout

    /// The changes of consecutive actions.
    package static func all(
        _ actions: [SchemaAction], from shape: SchemaShape
    ) throws(PersistencyError) -> [SQLTableChange] {
        var (shape, changes) = (shape, [SQLTableChange]())
        for action in actions {
            let before = try SQLLayout(shape)
            shape.apply(action)
            changes.append(SQLTableChange(action: action, before: before, after: try SQLLayout(shape)))
        }
        return changes
    }

    /// The statements. Indexes, and keys that are constraints, are created at the end of a migration.
    func statements(_ dialect: any SQLDefinitionDialect) -> [SQLQuery] {
        let texts: [String] =
            switch action {
            case .renameEntity, .renameMember: dialect.altersColumns ? renames : copiedRenames(dialect)
            case .drop(let item): drop(item, dialect)
            case .replace(let items): replace(items, dialect)
            case .add(let items): add(items, dialect)
            }
        let all = (dialect.rebuildsTables ? dropIndexes : []) + texts
        return all.map { SQLQuery(text: $0, values: []) } + (dialect.rebuildsTables ? exactDefaults : [])
    }

    /// Drops the indexes that the new shape does not have.
    private var dropIndexes: [String] {
        let names = Set(after.indexes.map(\.name))
        return before.indexes.filter { !names.contains($0.name) }.map {
            "DROP INDEX IF EXISTS \(SQLText.quoted($0.name))"
        }
    }

    /// Renames tables and columns. Renames keep the order, so both shapes have the same tables.
    private var renames: [String] {
        zip(before.tables, after.tables).flatMap { old, new in
            var texts = old.name == new.name ? [] : [SQLText.rename(old.name, to: new.name)]
            for (column, renamed) in zip(old.columns, new.columns) where column != renamed {
                texts.append(SQLText.rename(column, to: renamed, in: new.name))
            }
            for (link, renamed) in zip(old.links, new.links) {
                if link.name != renamed.name { texts.append(SQLText.rename(link.name, to: renamed.name)) }
                for (column, other) in zip(link.columns, renamed.columns) where column != other {
                    texts.append(SQLText.rename(column, to: other, in: renamed.name))
                }
            }
            return texts
        }
    }

    private func drop(_ item: SchemaItem, _ dialect: any SQLDefinitionDialect) -> [String] {
        guard let table = before[item.entity] else { return [] }
        switch item.kind {
        case .unique, .index: return []
        case .entity: return table.drops
        case .links: return table.links.filter { $0.name == item.entity + "_" + item.name }.map(\.drop)
        case .column:
            if let new = after[item.entity], !dialect.altersColumns || mustRebuild(table, new, dialect) {
                return dialect.rebuild(table, as: new)
            }
            return ["ALTER TABLE \(SQLText.quoted(table.name)) DROP COLUMN \(SQLText.quoted(item.name))"]
        }
    }

    private func replace(_ items: [SchemaItem], _ dialect: any SQLDefinitionDialect) -> [String] {
        guard dialect.rebuildsTables else {
            return items.filter { $0.kind == .column && $0.isNullable }.map {
                "ALTER TABLE \(SQLText.quoted($0.entity)) ALTER COLUMN \(SQLText.quoted($0.name)) DROP NOT NULL"
            }
        }
        guard let entity = items.first?.entity, let old = before[entity], let new = after[entity],
            old.schema.columns.map(\.isNullable) != new.schema.columns.map(\.isNullable)
        else { return [] }
        return dialect.rebuild(old, as: new)
    }

    private func add(_ items: [SchemaItem], _ dialect: any SQLDefinitionDialect) -> [String] {
        let entities = items.filter { $0.kind == .entity }
        if !entities.isEmpty { return entities.compactMap { after[$0.entity] }.flatMap { dialect.definitions(of: $0) } }
        guard let entity = items.first?.entity, let new = after[entity] else { return [] }
        let names = Set(items.filter { $0.kind == .links }.map { entity + "_" + $0.name })
        let links = new.links.filter { names.contains($0.name) }.map { dialect.definition(of: $0) }
        let added = Set(items.filter { $0.kind == .column }.map(\.name))
        let columns = new.schema.columns.filter { added.contains($0.name) }
        guard let old = before[entity] else { return links }
        // A column without a default cannot be added to rows; its final definition has none.
        let needsValues = dialect.rebuildsTables && columns.contains { !$0.isNullable && $0.defaultValue == nil }
        if needsValues || mustRebuild(old, new, dialect) { return dialect.rebuild(old, as: new) + links }
        return columns.flatMap { dialect.additions(of: $0, to: new.name) } + links
    }

    /// Whether another structure of the table is faster.
    private func mustRebuild(_ old: SQLTable, _ new: SQLTable, _ dialect: any SQLDefinitionDialect) -> Bool {
        dialect.rebuildsTables && new.schema.hasBlobs != old.schema.hasBlobs
    }

    /// SQLite may parse the text of a real number as an adjacent one; a bound value is exact.
    private var exactDefaults: [SQLQuery] {
        action.added.compactMap { item in
            guard case .real = item.defaultValue, let value = item.defaultValue, before[item.entity] != nil else {
                return nil
            }
            let text = "UPDATE \(SQLText.quoted(item.entity)) SET \(SQLText.quoted(item.name)) = ?1"
            return SQLQuery(text: text, values: [value])
        }
    }
}

/// The tables of a shape.
package struct SQLLayout {
    /// In the order of the shape, each owner before the tables that it owns.
    package let tables: [SQLTable]

    package init(_ shape: SchemaShape) throws(PersistencyError) {
        tables = shape.roots.map { SQLTable($0) }.flatMap(\.withDescendants)
    }

    package subscript(entity: String) -> SQLTable? { tables.first { $0.name == entity } }

    var indexes: [SQLIndex] { tables.flatMap(\.indexes) }
}

extension SQLTable {
    /// Drops the table, those of owned objects, and those of links.
    var drops: [String] { children.flatMap(\.drops) + links.map(\.drop) + ["DROP TABLE \(SQLText.quoted(name))"] }
}

extension SQLLinkTable {
    var drop: String { "DROP TABLE \(SQLText.quoted(name))" }
}

extension SQLText {
    static func rename(_ table: String, to name: String) -> String {
        "ALTER TABLE \(quoted(table)) RENAME TO \(quoted(name))"
    }

    static func rename(_ column: String, to name: String, in table: String) -> String {
        "ALTER TABLE \(quoted(table)) RENAME COLUMN \(quoted(column)) TO \(quoted(name))"
    }
}
