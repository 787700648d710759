internal import LarderDomain

/// The store's part of a database's schema. The authorizer does not learn the new name of a renamed table nor the target
/// of a foreign key, so both are checked before the commit.
struct SQLiteFootprint {
    /// The definitions of the store's tables, and of everything on them.
    private let definitions: Set<String>
    /// Tables outside the store with a foreign key to one of its tables.
    private let references: Set<String>

    init(_ connection: SQLiteConnection, _ names: Set<String>) throws(PersistencyError) {
        var (definitions, references) = (Set<String>(), Set<String>())
        try connection.forEach("SELECT name, tbl_name, type, coalesce(sql, '') FROM sqlite_master") { row in
            guard names.protects(row.text(0)) || names.protects(row.text(1)) else { return }
            definitions.insert((0..<4).map(row.text).joined(separator: " "))
        }
        for key in try connection.foreignKeys() where names.protects(key.target) && !names.protects(key.table) {
            references.insert(key.table)
        }
        (self.definitions, self.references) = (definitions, references)
    }

    /// - Throws: `unsupportedQuery` if a statement has changed the store's part, or added a reference to it. Such a
    ///   reference would make commits fail, or change rows without the store's knowledge.
    func check(since before: SQLiteFootprint) throws(PersistencyError) {
        guard definitions == before.definitions else {
            throw .unsupportedQuery("names that start with larder_, and names of the store's tables, are reserved")
        }
        if let table = references.subtracting(before.references).min() {
            throw .unsupportedQuery(
                "\(table) has a foreign key to a table of the store; declare its column without one")
        }
    }
}

extension SQLiteConnection {
    fileprivate func forEach(_ text: String, _ body: (SQLiteStatement) -> Void) throws(PersistencyError) {
        let statement = try statement(text)
        defer { statement.finish() }
        while try statement.step() { body(statement) }
    }
}
