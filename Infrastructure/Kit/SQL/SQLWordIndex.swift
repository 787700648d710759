internal import LarderData

/// The index of the words of a search in an SQLite database: a table of FTS5 that has no content of its own.
///
/// Its tokens are the words of a ``WordText``, without their weights. Such an index removes words of a row only if it is told
/// which ones it has, and it counts a row less for each removal; so each change removes words of a number and adds others,
/// none if need be. It writes them at the end of a transaction; a statement that inserts the result of a query writes a
/// segment by itself.
package struct SQLWordIndex: Sendable {
    /// The statements that create the index and fill it.
    package let definition: [String]
    package let drop: String
    /// Adds words of a row. (number of the row, words)
    package let add: String
    /// Removes words of a row. (number of the row, words)
    package let remove: String
    /// Merges segments, at most 16 pages. Without it, some commits would merge all of the index.
    package let merge: String

    init(_ name: String, of table: SQLTable) {
        let (index, words) = (SQLText.quoted(name), SQLText.quoted("words"))
        let rows =
            "\(SQLText.quoted("position")), \(SQLiteLibrary.words)(\(SQLText.quoted(table.schema.columns[0].name)))"
        func setting(_ name: String, _ value: Int) -> String {
            "INSERT INTO \(index) (\(index), rank) VALUES ('\(name)', \(value))"
        }
        definition = [
            "CREATE VIRTUAL TABLE \(index) USING fts5 (\(words), content = '', detail = none, columnsize = 0, "
                + "tokenize = ascii)",
            // Segments are merged 16 at a time, so that few commits write a page again.
            setting("automerge", 0), setting("usermerge", 16), setting("crisismerge", 64),
            "INSERT INTO \(index) (rowid, \(words)) SELECT \(rows) FROM \(SQLText.quoted(table.name))",
        ]
        drop = "DROP TABLE IF EXISTS \(index)"
        add = "INSERT INTO \(index) (rowid, \(words)) VALUES (?1, ?2)"
        remove = "INSERT INTO \(index) (\(index), rowid, \(words)) VALUES ('delete', ?1, ?2)"
        merge = setting("merge", 16)
    }
}

/// The fixed statements that keep an index of words.
package struct SQLWordIndexPlan: Sendable {
    package let add: SQLStatementText
    package let remove: SQLStatementText
    package let merge: SQLStatementText
}
