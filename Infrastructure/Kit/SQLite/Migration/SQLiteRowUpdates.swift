internal import LarderData
internal import LarderDomain

/// Writes the values of single rows that differ. Versions do not change.
///
/// Prepares a statement once for each set of columns: a step usually changes the same columns of every row.
final class SQLiteRowUpdates {
    private struct Key: Hashable {
        let table: String
        let columns: [Int]
    }

    private let connection: SQLiteConnection
    private var statements = SQLiteStatementCache<Key>(capacity: 64)
    /// The statement of the last update.
    private var last: (schema: EntitySchema, columns: [Int], statement: SQLiteStatement)?

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Updates the row of an object, without its lists.
    ///
    /// - Parameter new: Has the same columns.
    func update(_ old: StorageObject, to new: StorageObject) throws(PersistencyError) {
        let columns = old.values.indices.filter { new.values[$0] != old.values[$0] }
        if columns.isEmpty { return }
        let statement = try statement(of: columns, old.schema)
        try statement.bind(old.id, at: 1)
        for (offset, column) in columns.enumerated() { try statement.bind(new.values[column], at: offset + 2) }
        try statement.run()
    }

    private func statement(of columns: [Int], _ schema: EntitySchema) throws(PersistencyError) -> SQLiteStatement {
        if let last, last.schema === schema, last.columns == columns { return last.statement }
        let key = Key(table: schema.name, columns: columns)
        let statement: SQLiteStatement
        if let found = statements.statement(key) {
            statement = found
        } else {
            statement = try connection.uncached(Self.text(of: columns, schema))
            statements.insert(statement, for: key)
        }
        last = (schema, columns, statement)
        return statement
    }

    private static func text(of columns: [Int], _ schema: EntitySchema) -> String {
        let assignments = columns.enumerated().map { offset, column in
            SQLText.quoted(schema.columns[column].name) + " = ?\(offset + 2)"
        }
        return "UPDATE \(SQLText.quoted(schema.name)) SET \(assignments.joined(separator: ", ")) WHERE "
            + "\(SQLText.quoted("id")) = ?1"
    }
}
