/// A reference to another adopted table, by the columns of its key.
struct AdoptedReference {
    let source: SourceReference
    /// The table to which it refers.
    let target: String
    /// In the order of the target's key.
    let columns: [String]
    var field = ""
    /// Whether it is set in a second pass, because the tables refer to each other.
    var isLater = false
    var isNullable: Bool

    /// The column in the store, without `_id`.
    var column: String { EntityName.words(field).joined(separator: "_") }
    /// The rule of the mapping, if it is not that of `make entity`.
    var rule: String? {
        let rule =
            source.onDelete == "CASCADE" ? "cascade" : source.onDelete == "SET NULL" && isNullable ? "remove" : "refuse"
        return rule == (isNullable ? "remove" : "refuse") ? nil : rule
    }
}

/// A joined table, which becomes a list of its first table.
struct AdoptedLinks {
    let table: SourceTable
    /// The table with the list.
    let owner: String
    let target: String
    let ownerColumns: [String]
    let targetColumns: [String]
    var field = ""
    var isLater = false

    var column: String { EntityName.words(field).joined(separator: "_") }
}
