internal import LarderData
internal import LarderDomain

/// Fills derived columns that were added to tables with rows, from what the rows hold; versions stay as they are.
///
/// It reads a few aggregates at a time, so that a database of any size needs no more memory than a small one.
struct SQLiteDerivation {
    private let connection: SQLiteConnection
    private let plan: SQLPlan
    /// The positions of the new derived columns, by table.
    private let columns: [String: [Int]]

    /// - Parameter added: Whether a column of a table is new to rows that are there.
    init(_ connection: SQLiteConnection, _ plan: SQLPlan, added: (_ table: String, _ column: String) -> Bool) {
        self.connection = connection
        self.plan = plan
        var columns: [String: [Int]] = [:]
        for table in plan.roots.flatMap(\.withDescendants) {
            let found = table.schema.columns.indices.filter { index in
                let column = table.schema.columns[index]
                return column.isDerived && added(table.schema.name, column.name)
            }
            if !found.isEmpty { columns[table.schema.name] = found }
        }
        self.columns = columns
    }

    /// Fills all of them, in the transaction that is open.
    ///
    /// - Throws: `incompatible` when a row does not become an entity.
    func fill() throws(PersistencyError) {
        for root in plan.roots where root.withDescendants.contains(where: { columns[$0.schema.name] != nil }) {
            guard let derivation = plan.schemas.derivation(of: root.schema) else {
                throw .incompatible("nobody computes the derived columns of \(root.schema.name)")
            }
            // Photos may have megabytes each.
            let size = root.hasBlobs ? 4 : 256
            var last = Value.blob([])
            while true {
                let objects = try next(size, after: last, root)
                for object in objects { try update(object, to: computed(object, by: derivation)) }
                guard let end = objects.last, objects.count == size else { break }
                last = .id(end.id)
            }
        }
    }

    private func next(
        _ count: Int, after last: Value, _ root: SQLTablePlan
    ) throws(PersistencyError) -> [StorageObject] {
        let id = "t0." + SQLText.quoted("id")
        let statement = try connection.statement(
            "SELECT \(root.selection) FROM \(SQLText.quoted(root.table.name)) AS t0 WHERE \(id) > "
                + "?1 ORDER BY \(id) LIMIT \(count)")
        try statement.bind(last, at: 1)
        let reading = SQLiteReading(connection: connection)
        var objects = try reading.roots(statement, root)
        try reading.fillOwned(&objects, root)
        return objects
    }

    private func computed(
        _ object: StorageObject, by derivation: SchemaSet.Derivation
    ) throws(PersistencyError) -> StorageObject {
        do throws(PersistencyError) {
            return try derivation(object)
        } catch {
            throw .incompatible("a new derived column of \(object.schema.name) cannot be computed: \(error)")
        }
    }

    private func update(_ old: StorageObject, to new: StorageObject) throws(PersistencyError) {
        guard new.id == old.id, new.values.count == old.values.count,
            new.children.map(\.count) == old.children.map(\.count)
        else { throw .incompatible("\(old.schema.name) \(old.id) is mapped to something else than it was read from") }
        let changed = (columns[old.schema.name] ?? []).filter { new.values[$0] != old.values[$0] }
        if !changed.isEmpty {
            let names = changed.enumerated().map { offset, column in
                SQLText.quoted(old.schema.columns[column].name) + " = ?\(offset + 2)"
            }
            let statement = try connection.statement(
                "UPDATE \(SQLText.quoted(old.schema.name)) SET \(names.joined(separator: ", ")) WHERE "
                    + "\(SQLText.quoted("id")) = ?1")
            try statement.bind(old.id, at: 1)
            try statement.bind(changed.map { new.values[$0] }, from: 2)
            try statement.run()
        }
        for (olds, news) in zip(old.children, new.children) {
            for (old, new) in zip(olds, news) { try update(old, to: new) }
        }
    }
}
