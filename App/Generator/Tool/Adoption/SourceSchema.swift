/// The schema of a database that is adopted, as its own shell describes it.
struct SourceSchema: Decodable {
    var tables: [SourceTable]
    /// What is not adopted at all, such as `view active_users`.
    var others: [String]

    /// The table of a name, which SQLite compares in any case.
    func table(_ name: String) -> SourceTable? {
        tables.first { $0.name == name } ?? tables.first { $0.name.lowercased() == name.lowercased() }
    }
}

struct SourceTable: Decodable {
    let name: String
    let columns: [SourceColumn]
    /// The columns of the primary key; empty if there is none.
    let key: [String]
    let indexes: [SourceIndex]
    let references: [SourceReference]
    /// The conditions of rows, as the database writes them.
    var checks: [String]?
    /// The statement that created it, in SQLite.
    var sql: String?

    func column(_ name: String) -> SourceColumn? {
        columns.first { $0.name == name } ?? columns.first { $0.name.lowercased() == name.lowercased() }
    }

    /// The columns that identify a row: the primary key, or a unique group without nulls.
    var identity: [String] {
        if !key.isEmpty { return key }
        return indexes.first { index in
            index.isWhole && !index.columns.isEmpty
                && index.columns.allSatisfy { column($0 ?? "").map { !$0.isNullable } ?? false }
        }?.columns.compactMap(\.self) ?? []
    }
}
