internal import LarderData

/// The statement that changes some columns, and raises the version of a root, or moves an owned object.
///
/// The values come in this order: the id; the version expected of a root, or the new position if it moves; the columns.
/// Equal ones have the same text, so that it is put together once.
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
        for (number, column) in zip((isRoot || moves ? 3 : 2)..., columns) {
            assignments.append("\(SQLText.quoted(plan.schema.columns[column].name)) = ?\(number)")
        }
        return "UPDATE \(SQLText.quoted(table.name)) SET \(assignments.joined(separator: ", ")) WHERE \(id)"
            + (isRoot ? " AND \(version) = ?2" : "")
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
