internal import LarderData
package import LarderDomain

extension SQLTable {
    /// - Throws: `incompatible` when two tables, indexes or columns would have one name, or a name is reserved or too long.
    package static func checkNames(_ tables: [SQLTable], _ dialect: any SQLDialect) throws(PersistencyError) {
        var names: Set<String> = [
            "larder_schema", "larder_history", "larder_journal", "larder_file", SQLText.rebuilt,
        ]
        func take(_ name: String) throws(PersistencyError) {
            let name = name.lowercased()
            guard !name.hasPrefix(dialect.reservedPrefix), names.insert(name).inserted else {
                throw .incompatible("two tables or indexes would be named \(name), or the name is reserved")
            }
            if let maximum = dialect.maximumName, name.utf8.count > maximum {
                throw .incompatible("the name \(name) is longer than \(maximum) bytes")
            }
        }
        func checkColumns(_ columns: [String], of table: String) throws(PersistencyError) {
            var seen = dialect.reservedColumns
            for column in columns where !seen.insert(column.lowercased()).inserted {
                throw .incompatible(
                    "the table \(table) would have two columns named \(column), or the name is reserved")
            }
        }
        for table in tables {
            try take(table.name)
            try checkColumns(table.columns, of: table.name)
            for link in table.links {
                try take(link.name)
                try checkColumns(link.columns, of: link.name)
            }
            // With a limit, the names of indexes are shortened.
            if dialect.maximumName == nil { for index in table.indexes { try take(index.name) } }
        }
    }
}
