internal import LarderData

/// The index of the words of a search in an SQLite database: a table of FTS5 that has no content of its own.
///
/// Its tokens are the words of a ``WordText``, without their weights. Such an index removes a row only if it is told exactly the words that it has, and it
/// counts a row less for each removal; so a change removes the words of a number and adds others, none if need be.
package struct SQLWordIndex: Sendable {
    /// The statements that create the index and fill it.
    package let definition: [String]
    package let drop: String
    /// Adds the words of a row. (id)
    package let add: String
    /// Removes the words of a row, before it changes. (id)
    package let remove: String
    /// Adds no words, before a row is deleted. (id)
    package let addNone: String
    /// Merges segments, at most 16 pages. Without it, some commits would merge all of the index.
    package let merge: String

    init(_ name: String, of table: SQLTable) {
        let (index, rows) = (SQLText.quoted(name), SQLText.quoted(table.name))
        let (words, row) = (SQLText.quoted("words"), "WHERE \(SQLText.quoted("id")) = ?1")
        let text = SQLText.quoted(table.schema.columns[0].name)
        let source = "\(SQLText.quoted("position")), \(SQLiteLibrary.words)(\(text)) FROM \(rows)"
        definition = [
            "CREATE VIRTUAL TABLE \(index) USING fts5 (\(words), content = '', detail = none, columnsize = 0, "
                + "tokenize = ascii)",
            "INSERT INTO \(index) (\(index), rank) VALUES ('automerge', 0)",
            "INSERT INTO \(index) (rowid, \(words)) SELECT \(source)",
        ]
        drop = "DROP TABLE IF EXISTS \(index)"
        add = "INSERT INTO \(index) (rowid, \(words)) SELECT \(source) \(row)"
        remove = "INSERT INTO \(index) (\(index), rowid, \(words)) SELECT 'delete', \(source) \(row)"
        addNone = "INSERT INTO \(index) (rowid, \(words)) SELECT \(SQLText.quoted("position")), '' FROM \(rows) \(row)"
        merge = "INSERT INTO \(index) (\(index), rank) VALUES ('merge', 16)"
    }
}

/// The fixed statements that keep an index of words.
package struct SQLWordIndexPlan: Sendable {
    package let add: SQLStatementText
    package let remove: SQLStatementText
    package let addNone: SQLStatementText
    package let merge: SQLStatementText
}
