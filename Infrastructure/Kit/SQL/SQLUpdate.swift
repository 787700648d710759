internal import LarderData

/// The statement that changes some columns, and increments the version of a root, or moves an owned object.
///
/// Bound values, in order: the id; the expected version of a root, or the new position if it moves; the columns. The text
/// depends only on the members, so a cache builds it once.
package struct SQLUpdate {
    package let plan: SQLTablePlan
    package let columns: [Int]
    package var moves = false

    package init(plan: SQLTablePlan, columns: [Int], moves: Bool = false) {
        (self.plan, self.columns, self.moves) = (plan, columns, moves)
    }

    package var text: String {
        let (table, dialect) = (plan.table, plan.dialect)
        let isExpected = table.owner == nil
        let number = dialect.placeholder(2, .integer)
        var assignments: [String] = []
        if isExpected { assignments.append("\"version\" = \"version\" + 1") }
        if moves { assignments.append("\"position\" = \(number)") }
        let isLong = isExpected || moves
        for (number, column) in zip((isLong ? 3 : 2)..., columns) {
            let declared = plan.schema.columns[column]
            let value = dialect.placeholder(number, SQLKind(declared.type))
            assignments.append("\(SQLText.quoted(declared.name)) = \(value)")
        }
        return "UPDATE \(SQLText.quoted(table.name)) SET \(assignments.joined(separator: ", ")) "
            + "WHERE \"id\" = \(dialect.placeholder(1, .id))\(isExpected ? " AND \"version\" = \(number)" : "")"
    }
}

extension SQLUpdate: Hashable {
    package static func == (lhs: SQLUpdate, rhs: SQLUpdate) -> Bool {
        lhs.plan === rhs.plan && lhs.moves == rhs.moves && lhs.columns == rhs.columns
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(plan))
        hasher.combine(columns)
        hasher.combine(moves)
    }
}
