internal import LarderData
internal import LarderDomain

/// Searches for words: in the index of words, if the database has one.
extension SQLBuilder {
    /// The starts of entries that some conditions search for in the words of one list, and the other conditions.
    func searched(
        _ parts: [Condition], in scope: SQLScope
    ) -> (list: Int, starts: [String], others: [Condition])? {
        guard let list = scope.schema.searchList else { return nil }
        var (starts, others) = ([String](), [Condition]())
        for part in parts {
            if case .anyChild(list, .contains(.column, let start)) = part, WordText.Start(start) != nil {
                starts.append(start)
            } else {
                others.append(part)
            }
        }
        return starts.isEmpty ? nil : (list, starts, others)
    }

    /// A test whether a root has words with all of these starts.
    mutating func hasWords(_ starts: [String], ofList list: Int, in scope: SQLScope) -> String {
        let table = scope.table.children[list]
        let words = SQLScope(table: table, alias: alias())
        let test = dialect.hasWords(starts, in: table, words.alias) { bind($0) }
        // Not `EXISTS`, which SQLite evaluates for each root, even if an index finds the owned rows.
        return "\(column(scope.alias, "id")) IN (SELECT \(column(words.alias, scope.table.name)) FROM "
            + "\(SQLText.quoted(table.name)) AS \(words.alias) WHERE \(test))"
    }

    /// The rank of a root.
    mutating func rank(_ starts: [String], ofList list: Int, in scope: SQLScope) -> String {
        let words = SQLScope(table: scope.table.children[list], alias: alias())
        let rank = dialect.rank(column(words.alias, words.schema.columns[0].name), starts) { bind($0) }
        return "(SELECT \(dialect.sum(rank)) FROM \(SQLText.quoted(words.table.name)) AS \(words.alias) WHERE "
            + "\(column(words.alias, scope.table.name)) = \(column(scope.alias, "id")))"
    }
}
