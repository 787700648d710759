internal import LarderData

/// The statement that changes some columns, and increments the version of a root, or moves an owned object.
///
/// Bound values, in order: the id; the expected version of a root, the owner of a derived row, or the new position if it
/// moves; the columns. The
/// text depends only on the members, so a cache builds it once.
struct SQLUpdate {
    let plan: SQLTablePlan
    let columns: [Int]
    let moves: Bool

    var text: String {
        let table = plan.table
        let isRoot = table.owner == nil
        let id = "\(SQLText.quoted("id")) = ?1"
        let version = SQLText.quoted("version")
        var assignments: [String] = []
        if isRoot { assignments.append("\(version) = \(version) + 1") }
        if moves { assignments.append("\(SQLText.quoted("position")) = ?2") }
        let isLong = isRoot || moves || !table.andOwner.isEmpty
        for (number, column) in zip((isLong ? 3 : 2)..., columns) {
            assignments.append("\(SQLText.quoted(plan.schema.columns[column].name)) = ?\(number)")
        }
        return "UPDATE \(SQLText.quoted(table.name)) SET \(assignments.joined(separator: ", ")) WHERE \(id)"
            + (isRoot ? " AND \(version) = ?2" : table.andOwner)
    }
}

extension SQLUpdate: Hashable {
    static func == (lhs: SQLUpdate, rhs: SQLUpdate) -> Bool {
        lhs.plan === rhs.plan && lhs.moves == rhs.moves && lhs.columns == rhs.columns
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(plan))
        hasher.combine(columns)
        hasher.combine(moves)
    }
}
