/// Renames for a library that can rename neither columns nor a table together with the references to it.
extension SQLMigration {
    /// A table of objects or links.
    private struct Definition {
        let name: String
        let columns: [String]
        let text: String
        /// Creates it under its temporary name.
        let draft: String

        init(_ table: SQLTable) {
            (name, columns, text) = (table.name, table.columns, SQLDefinition.objects(table))
            draft = SQLDefinition.objects(table, named: SQLMigration.rebuilt)
        }

        init(_ link: SQLLinkTable) {
            (name, columns, text) = (link.name, link.columns, SQLDefinition.links(link))
            draft = SQLDefinition.links(link, named: SQLMigration.rebuilt)
        }
    }

    /// Copies all tables with another definition, also tables that refer to a renamed one.
    var copiedRenames: [String] {
        func definitions(_ layout: SQLLayout) -> [Definition] {
            layout.tables.flatMap { [Definition($0)] + $0.links.map { Definition($0) } }
        }
        return zip(definitions(before), definitions(after)).flatMap { old, new -> [String] in
            if old.text == new.text { return [] }
            let insert =
                "INSERT INTO \(SQLText.quoted(Self.rebuilt)) (\(SQLText.quoted(new.columns))) "
                + "SELECT \(SQLText.quoted(old.columns)) FROM \(SQLText.quoted(old.name))"
            return [new.draft, insert] + Self.replacement(of: old.name, as: new.name)
        }
    }
}
