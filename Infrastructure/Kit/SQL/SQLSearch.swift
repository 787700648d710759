package import LarderData
package import LarderDomain

/// Several words of a search. The rows of the first word, which should be the rarest, are found by the index, and the
/// others by the key of each of these rows; a set of the rows of a frequent word would cost more.
extension SQLTable {
    /// A derived list and the conditions on its objects, if a conjunction has several.
    func searched(by parts: [Condition]) -> (list: Int, conditions: [Condition])? {
        for list in children.indices where children[list].schema.isDerived {
            let conditions = parts.compactMap { $0.inner(ofList: list) }
            if conditions.count > 1 { return (list, conditions) }
        }
        return nil
    }
}

extension Condition {
    /// The condition on an object of an owned list.
    func inner(ofList list: Int) -> Condition? {
        if case .anyChild(list, let inner) = self { inner } else { nil }
    }

    /// The same condition, with the words of a search in ascending order of their rows.
    ///
    /// - Parameter count: Counts the rows that a statement selects.
    package func rarestFirst(
        _ table: SQLTable, _ dialect: any SQLDialect, count: (SQLQuery) throws(PersistencyError) -> Int
    ) throws(PersistencyError) -> Condition {
        guard case .and(let parts) = self, let (list, conditions) = table.searched(by: parts) else { return self }
        var counted: [(count: Int, condition: Condition)] = []
        for condition in conditions {
            var builder = SQLBuilder(dialect)
            let child = table.children[list]
            let test = try builder.condition(condition, in: SQLScope(table: child, alias: "t1"))
            let rows = "SELECT 1 FROM \(SQLText.quoted(child.name)) AS t1 WHERE \(test) LIMIT \(Self.countedRows)"
            counted.append((try count(builder.query("SELECT count(*) FROM (\(rows)) AS counted")), condition))
        }
        let sorted = counted.sorted { $0.count < $1.count }.map { Condition.anyChild(relationship: list, $0.condition) }
        return .and(sorted + parts.filter { $0.inner(ofList: list) == nil })
    }

    /// The maximum number of rows to count for a word: among more frequent ones, the first in the search comes first.
    private static var countedRows: Int { 10_000 }
}
