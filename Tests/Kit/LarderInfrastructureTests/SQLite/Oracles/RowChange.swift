import LarderData

/// What happened to one row, as a change set claims it or SQLite saw it. Versions are left out.
struct RowChange: Hashable, CustomStringConvertible {
    enum Kind: Hashable {
        case insert, delete
        /// The columns that differ afterwards.
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

/// A row of a table, by the values of its primary key.
struct RowKey: Hashable, CustomStringConvertible {
    let table: String
    /// In the table's order of columns, each as text.
    let key: [String]

    var description: String { "\(table)[\(key.joined(separator: ", "))]" }
}
