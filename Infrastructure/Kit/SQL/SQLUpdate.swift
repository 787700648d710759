internal import LarderData

extension SQLTablePlan {
    /// The statement that changes some columns, and raises the version of a root, or moves an owned object.
    ///
    /// The values come in this order: the id; the version expected of a root, or the new position if it moves; the
    /// columns.
    func update(_ changes: [ColumnChange], moves: Bool, dialect: any SQLDialect) -> String {
        let isRoot = table.owner == nil
        var text = "UPDATE " + dialect.quoted(table.name) + " SET "
        var number = isRoot || moves ? 3 : 2
        var separator = ""
        func set(_ column: String, _ value: String) {
            text += separator + dialect.quoted(column) + " = " + value
            separator = ", "
        }
        if isRoot { set("version", dialect.quoted("version") + " + 1") }
        if moves { set("position", dialect.placeholder(2)) }
        for change in changes {
            set(schema.columns[change.column].name, dialect.placeholder(number))
            number += 1
        }
        text += " WHERE " + dialect.quoted("id") + " = " + dialect.placeholder(1)
        if isRoot { text += " AND " + dialect.quoted("version") + " = " + dialect.placeholder(2) }
        return text
    }
}
