internal import LarderData
package import LarderDomain

/// The statements that change the tables of a database with those of its shape. Indexes are created at the end of a
/// migration; those that the new shape does not have are dropped first.
package struct SQLMigration {
    /// The name of a table until it replaces another one.
    static let rebuilt = "larder_rebuilt"

    let before: SQLLayout
    let after: SQLLayout

    package init(before: SQLLayout, after: SQLLayout) { (self.before, self.after) = (before, after) }

    /// One statement, with its bound values.
    struct Statement {
        let text: String
        var values: [Value] = []

        /// The text for users, with the values in place of the parameter.
        var description: String { values.isEmpty ? text : text.replacing("?1", with: "\(values[0])") }
    }

    /// The statements of consecutive actions.
    static func statements(
        _ actions: [SchemaAction], from shape: SchemaShape
    ) throws(PersistencyError) -> [Statement] {
        var (shape, statements) = (shape, [Statement]())
        for action in actions {
            let before = try SQLLayout(shape)
            shape.apply(action)
            statements += try SQLMigration(before: before, after: SQLLayout(shape)).statements(action)
        }
        return statements
    }

    private func statements(_ action: SchemaAction) throws(PersistencyError) -> [Statement] {
        let texts: [String]
        switch action {
        case .renameEntity, .renameMember: texts = SQLiteLibrary.altersColumns ? renames : copiedRenames
        case .drop(let item): texts = drop(item)
        case .replace(let items): texts = replaces(items) ? try rebuild(items[0].entity) : []
        case .add(let items):
            let texts = dropIndexes + (try add(items))
            return texts.map { Statement(text: $0) } + exactDefaults(items)
        }
        return (dropIndexes + texts).map { Statement(text: $0) }
    }

    /// Drops the indexes that the new shape does not have.
    private var dropIndexes: [String] {
        let names = Set(after.indexes.map(\.name))
        return before.indexes.filter { !names.contains($0.name) }.map {
            "DROP INDEX IF EXISTS \(SQLText.quoted($0.name))"
        }
    }

    /// Renames tables and columns. Renames keep the order, so both shapes have the same tables.
    package var renames: [String] {
        zip(before.tables, after.tables).flatMap { old, new in
            var texts = old.name == new.name ? [] : [rename(old.name, to: new.name)]
            for (column, renamed) in zip(old.columns, new.columns) where column != renamed {
                texts.append(rename(column, to: renamed, in: new.name))
            }
            for (link, renamed) in zip(old.links, new.links) {
                if link.name != renamed.name { texts.append(rename(link.name, to: renamed.name)) }
                for (column, other) in zip(link.columns, renamed.columns) where column != other {
                    texts.append(rename(column, to: other, in: renamed.name))
                }
            }
            return texts
        }
    }

    private func rename(_ table: String, to name: String) -> String {
        "ALTER TABLE \(SQLText.quoted(table)) RENAME TO \(SQLText.quoted(name))"
    }

    private func rename(_ column: String, to name: String, in table: String) -> String {
        "ALTER TABLE \(SQLText.quoted(table)) RENAME COLUMN \(SQLText.quoted(column)) TO \(SQLText.quoted(name))"
    }

    private func drop(_ item: SchemaItem) -> [String] {
        guard let table = before[item.entity] else { return [] }
        switch item.kind {
        case .unique, .index: return []
        case .entity: return table.drops
        case .links: return table.links.filter { $0.name == item.entity + "_" + item.name }.map(\.drop)
        case .column:
            if let new = after[item.entity],
                new.schema.hasBlobs != table.schema.hasBlobs || !SQLiteLibrary.altersColumns
            {
                return rebuild(table, as: new)
            }
            return ["ALTER TABLE \(SQLText.quoted(table.name)) DROP COLUMN \(SQLText.quoted(item.name))"]
        }
    }

    private func add(_ items: [SchemaItem]) throws(PersistencyError) -> [String] {
        guard let first = items.first, let new = after[first.entity] else { return [] }
        if items.contains(where: { $0.kind == .entity }) {
            return items.filter { $0.kind == .entity }.compactMap { after[$0.entity] }.flatMap(SQLDefinition.tables)
        }
        let links = items.filter { $0.kind == .links }.flatMap { item in
            new.links.filter { $0.name == item.entity + "_" + item.name }.map { SQLDefinition.links($0) }
        }
        let names = Set(items.filter { $0.kind == .column }.map(\.name))
        let columns = new.schema.columns.filter { names.contains($0.name) }
        guard let old = before[first.entity] else { return links }
        // A column without a default cannot be added to rows; its final definition has none.
        let needsValues = columns.contains { !$0.isNullable && $0.defaultValue == nil }
        if needsValues || new.schema.hasBlobs != old.schema.hasBlobs { return rebuild(old, as: new) + links }
        return columns.map { SQLDefinition.add($0, to: new.name) } + links
    }

    /// SQLite may parse the text of a real number as an adjacent one; a bound value is exact.
    private func exactDefaults(_ items: [SchemaItem]) -> [Statement] {
        items.compactMap { item in
            guard case .real = item.defaultValue, let value = item.defaultValue, before[item.entity] != nil else {
                return nil
            }
            let text = "UPDATE \(SQLText.quoted(item.entity)) SET \(SQLText.quoted(item.name)) = ?1"
            return Statement(text: text, values: [value])
        }
    }

    private func replaces(_ items: [SchemaItem]) -> Bool {
        guard let entity = items.first?.entity, let old = before[entity], let new = after[entity] else { return false }
        return old.schema.columns.map(\.isNullable) != new.schema.columns.map(\.isNullable)
    }

    private func rebuild(_ entity: String) throws(PersistencyError) -> [String] {
        guard let old = before[entity], let new = after[entity] else { throw .unknownEntity(entity) }
        return rebuild(old, as: new)
    }

    /// Copies a table to one with another definition, which replaces it.
    private func rebuild(_ old: SQLTable, as new: SQLTable) -> [String] {
        let kept = Set(old.columns)
        let values =
            new.keyColumns.map(SQLText.quoted)
            + new.schema.columns.map { column in
                if kept.contains(column.name) { return SQLText.quoted(column.name) }
                let filler = column.isNullable ? Value.null : column.type.someValue
                return SQLText.constant(column.defaultValue ?? filler)
            }
        let insert =
            "INSERT INTO \(SQLText.quoted(Self.rebuilt)) (\(SQLText.quoted(new.columns))) SELECT "
            + "\(values.joined(separator: ", ")) FROM \(SQLText.quoted(old.name))"
        return [SQLDefinition.objects(new, named: Self.rebuilt), insert] + Self.replacement(of: old.name)
    }

    /// Replaces a table by the rebuilt one, which gets its name or another one.
    static func replacement(of table: String, as name: String? = nil) -> [String] {
        [
            "DROP TABLE \(SQLText.quoted(table))",
            "ALTER TABLE \(SQLText.quoted(rebuilt)) RENAME TO \(SQLText.quoted(name ?? table))",
        ]
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
    package var drops: [String] {
        children.flatMap(\.drops) + links.map(\.drop) + ["DROP TABLE \(SQLText.quoted(name))"]
    }
}

extension SQLLinkTable {
    package var drop: String { "DROP TABLE \(SQLText.quoted(name))" }
}
