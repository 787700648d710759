internal import LarderData

/// Tables with other definitions, which replace the old ones.
extension SQLDefinitionDialect {
    /// Copies a table to one with another definition, which replaces it.
    func rebuild(_ old: SQLTable, as new: SQLTable) -> [String] {
        let kept = Set(old.columns)
        let values =
            new.keyColumns.map(SQLText.quoted)
            + new.schema.columns.map { column in
                kept.contains(column.name) ? SQLText.quoted(column.name) : constant(column.filler)
            }
        return replace(old.name, with: new.name, new.columns, values, definition(of: new, named: SQLText.rebuilt))
    }

    /// - Parameters:
    ///   - columns: The columns of the new table.
    ///   - values: Their values, by the old ones.
    ///   - definition: Creates the new table under its temporary name.
    fileprivate func replace(
        _ old: String, with new: String, _ columns: [String], _ values: [String], _ definition: String
    ) -> [String] {
        [
            definition,
            "INSERT INTO \(SQLText.quoted(SQLText.rebuilt)) (\(SQLText.quoted(columns))) SELECT "
                + "\(values.joined(separator: ", ")) FROM \(SQLText.quoted(old))",
        ] + SQLText.replacement(of: old, as: new)
    }
}

extension SQLTableChange {
    /// Renames for a library that can rename neither columns nor a table together with the references to it: copies all
    /// tables with another definition, also tables that refer to a renamed one.
    func copiedRenames(_ dialect: any SQLDefinitionDialect) -> [String] {
        typealias Table = (name: String, columns: [String], definition: (String?) -> String)
        func tables(_ layout: SQLLayout) -> [Table] {
            layout.tables.flatMap { table -> [Table] in
                [(table.name, table.columns, { dialect.definition(of: table, named: $0) })]
                    + table.links.map { link in
                        (link.name, link.columns, { dialect.definition(of: link, named: $0) })
                    }
            }
        }
        return zip(tables(before), tables(after)).flatMap { old, new -> [String] in
            if old.definition(nil) == new.definition(nil) { return [] }
            return dialect.replace(
                old.name, with: new.name, new.columns, old.columns.map(SQLText.quoted), new.definition(SQLText.rebuilt))
        }
    }
}

extension SQLText {
    /// The name of a table until it replaces another one.
    static var rebuilt: String { "larder_rebuilt" }

    /// Replaces a table by the rebuilt one.
    static func replacement(of old: String, as new: String) -> [String] {
        ["DROP TABLE \(quoted(old))", rename(rebuilt, to: new)]
    }
}
