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
        let table = scope.table.children[list]
        let words = scope.words ?? alias()
        let rank = dialect.rank(column(words, table.schema.columns[0].name), starts) { bind($0) }
        return scope.words != nil
            ? rank
            : "(SELECT \(dialect.sum(rank)) FROM \(SQLText.quoted(table.name)) AS \(words) WHERE "
                + "\(column(words, scope.table.name)) = \(column(scope.alias, "id")))"
    }

    /// The tables of a read, the tests that join them, and the conditions that are left.
    ///
    /// A read in the order of ranks begins with the words: their rows have the ranks, too.
    mutating func source(
        of request: ReadRequest, in scope: inout SQLScope
    ) -> (tables: String, tests: [String], rest: Condition) {
        let roots = "\(SQLText.quoted(scope.table.name)) AS \(scope.alias)"
        let parts = if case .and(let parts) = request.condition { parts } else { [request.condition] }
        guard request.isRanked, let (list, starts, others) = searched(parts, in: scope) else {
            return (roots, [], request.condition)
        }
        let (table, words) = (scope.table.children[list], alias())
        scope.words = words
        return (
            "\(SQLText.quoted(table.name)) AS \(words) CROSS JOIN \(roots)",
            [
                dialect.hasWords(starts, in: table, words) { bind($0) },
                "\(column(words, scope.table.name)) = \(column(scope.alias, "id"))",
            ], others.isEmpty ? .always(true) : .and(others)
        )
    }
}
