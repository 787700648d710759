internal import GRDB
internal import LarderData

extension StoredTable {
    /// Creates the missing tables of the schema.
    ///
    /// Owned rows and links are deleted with their owner. All other references are checked at commit, and do not cascade:
    /// Data has computed the effects of deletes.
    func create(in database: Database) throws {
        // `WITHOUT ROWID` saves a second search; with blobs in its rows, the tree of the key would be deep.
        let options: TableOptions = schema.hasBlobs ? [.strict] : [.strict, .withoutRowID]
        try database.create(table: name, options: options.union(.ifNotExists)) { table in
            table.column("id", .blob).notNull().primaryKey()
            if let owner {
                table.column(owner, .blob).notNull().refers(to: owner, onDelete: .cascade)
                table.column("position", .integer).notNull()
            } else {
                table.column("version", .integer).notNull()
            }
            for column in schema.columns { table.column(column.name, column.type.stored).declare(column) }
        }
        for index in indexes {
            try database.create(
                index: index.name, on: name, columns: index.columns + (schema.hasBlobs ? ["id"] : []),
                options: .ifNotExists)
        }
        for link in links {
            try database.create(table: link.name, options: [.ifNotExists, .strict, .withoutRowID]) { table in
                table.column(link.owner, .blob).notNull().refers(to: link.owner, onDelete: .cascade)
                table.column("position", .integer).notNull()
                table.column(link.targetColumn, .blob).notNull().refers(to: link.target)
                table.primaryKey([link.owner, "position"])
            }
            try database.create(
                index: link.name + "_target", on: link.name, columns: [link.targetColumn], options: .ifNotExists)
        }
    }
}

extension ColumnDefinition {
    /// The declaration of a column.
    func declare(_ column: LarderData.Column) {
        if !column.isNullable { notNull() }
        if let value = column.defaultValue, value != .null { defaults(to: value.stored) }
        if let reference = column.reference { refers(to: reference.target) }
    }

    fileprivate func refers(to table: String, onDelete action: Database.ForeignKeyAction? = nil) {
        references(table, column: "id", onDelete: action, deferred: true)
    }
}

extension ColumnType {
    /// The type of the column in a `STRICT` table.
    var stored: Database.ColumnType {
        switch self {
        case .integer, .boolean, .timestamp: .integer
        case .real: .real
        case .text, .day: .text
        case .blob, .id: .blob
        }
    }
}
