import LarderData

/// The change of one row, as claimed by a change set or as seen by SQLite, without versions.
struct RowChange: Hashable, CustomStringConvertible {
    enum Kind: Hashable {
        case insert, delete
        /// The changed columns.
        case update(Set<String>)
    }

    let row: RowKey
    let kind: Kind

    var columns: Int { if case .update(let columns) = kind { columns.count } else { 0 } }

    var description: String {
        switch kind {
        case .insert: "insert \(row)"
        case .delete: "delete \(row)"
        case .update(let columns): "update \(row): \(columns.sorted().joined(separator: ", "))"
        }
    }
}

/// A row of a table, identified by the values of its primary key.
struct RowKey: Hashable, CustomStringConvertible {
    let table: String
    /// In the order of the table's columns, each as text.
    let key: [String]

    var description: String { "\(table)[\(key.joined(separator: ", "))]" }
}
