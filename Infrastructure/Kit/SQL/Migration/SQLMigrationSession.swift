package import LarderData
package import LarderDomain

/// A connection that also runs the statements of a migration, in the current transaction.
package protocol SQLMigrationSession: SQLSession {
    /// Runs a statement without values, uncached.
    func perform(_ text: String) throws(PersistencyError)

    /// Runs a statement, and copies all its rows.
    ///
    /// - Parameter types: The types of the columns; for a blob, the values as the database has them.
    @discardableResult func rows(
        _ text: String, _ values: [Value], _ types: [ColumnType]
    ) throws(PersistencyError) -> [[Value]]

    /// Writes values of rows.
    func update(_ update: SQLRowUpdate) throws(PersistencyError)

    /// Whether the database has a table.
    func has(_ table: String) throws(PersistencyError) -> Bool

    /// Releases prepared statements, because the shape of tables has changed.
    func forgetStatements()
}

/// The objects of a database in one shape, as a migration reads and writes them. Versions do not change.
package protocol SQLObjects {
    associatedtype Session: SQLSession

    var connection: Session { get }
    var plan: SQLPlan { get }

    func insert(_ root: StorageObject) throws(PersistencyError)

    /// Inserts the owned objects of objects of one entity, at any depth, and all links.
    func insertOwned(by objects: [StorageObject]) throws(PersistencyError)

    /// Deletes the owned objects of objects, at any depth, and all links.
    func deleteOwned(by ids: [RawID], of entity: String) throws(PersistencyError)

    /// Deletes roots without owned objects.
    func delete(_ ids: [RawID], of entity: String) throws(PersistencyError)

    /// Writes changes of links and owned objects.
    func change(_ lists: [(id: RawID, changes: ObjectChanges)], of entity: String) throws(PersistencyError)
}

extension SQLObjects {
    var schemas: SchemaSet { plan.schemas }

    /// Passes all objects of an entity, root or owned, with everything that they own, to a body, in ascending order of ids.
    ///
    /// It reads them in batches, so memory use does not depend on the size of the database. The body may write.
    package func forEachBatch(
        of entity: String, _ body: ([StorageObject]) throws(PersistencyError) -> Void
    ) throws(PersistencyError) {
        try SQLReading(connection: connection).forEachBatch(of: plan.table(entity), body)
    }
}

/// New values of some columns of a table's rows.
package struct SQLRowUpdate {
    package let table: String
    /// The keys that copies of the rows in the rebuilt table take from the rows, none for roots; `nil` to change the rows.
    package let copied: [String]?
    package let columns: [(name: String, type: ColumnType)]
    /// The id and the values of each row.
    package private(set) var rows: [[Value]] = []

    /// The columns in which objects differ from their rows, and the values of the rows that differ.
    ///
    /// - Parameters:
    ///   - columns: The columns of the new objects.
    ///   - old: The value of a column in the row of an object.
    init(
        _ table: String, _ columns: [(name: String, type: ColumnType)],
        _ pairs: [(old: StorageObject, new: StorageObject)], old: (Int, StorageObject) -> Value
    ) {
        func differs(_ column: Int, _ pair: (old: StorageObject, new: StorageObject)) -> Bool {
            pair.new.values[column] != old(column, pair.old)
        }
        let changed = columns.indices.filter { column in pairs.contains { differs(column, $0) } }
        (self.table, copied, self.columns) = (table, nil, changed.map { columns[$0] })
        for pair in pairs where changed.contains(where: { differs($0, pair) }) {
            rows.append([.id(pair.old.id)] + changed.map { pair.new.values[$0] })
        }
    }

    /// Copies rows to the rebuilt table, with the values of objects.
    ///
    /// - Parameter new: The table that the rebuilt one becomes.
    init(copying new: SQLTable, _ objects: [StorageObject]) {
        // The owner and the position of an owned object are only in its row.
        let isRoot = new.owner == nil
        let key: (name: String, type: ColumnType) = isRoot ? ("version", .integer) : ("id", .id)
        copied = isRoot ? [] : new.keyColumns.filter { $0 != "id" }
        table = new.name
        columns = [key] + new.schema.columns.map { ($0.name, $0.type) }
        rows = objects.map { [.id($0.id), isRoot ? .integer($0.version) : .id($0.id)] + $0.values }
    }

    /// The kinds of the id and the values of a row.
    package var kinds: [SQLKind] { [.id] + columns.map { SQLKind($0.type) } }

    /// The statement for all rows, or for one, as the dialect gives values.
    package func text(_ dialect: any SQLDialect) -> String {
        let given = dialect.given(kinds)
        let (table, new, id) = (SQLText.quoted(table), SQLText.quoted(SQLText.rebuilt), SQLText.quoted("id"))
        let (names, values) = (columns.map { SQLText.quoted($0.name) }, given.values.dropFirst())
        let (list, valueList) = (names.joined(separator: ", "), values.joined(separator: ", "))
        switch copied.map(SQLText.quoted) {
        case nil:
            let sets = zip(names, values).map { "\($0) = \($1)" }.joined(separator: ", ")
            let others = given.table.map { " FROM " + $0 } ?? ""
            return "UPDATE \(table) SET \(sets)\(others) WHERE \(id) = \(given.values[0])"
        case ""?:
            return "INSERT INTO \(new) (\(id), \(list)) VALUES (\(given.values[0]), \(valueList))"
        case let keys?:
            return "INSERT INTO \(new) (\(keys), \(list)) SELECT \(keys), \(valueList) FROM \(table) "
                + "WHERE \(id) = \(given.values[0])"
        }
    }
}
