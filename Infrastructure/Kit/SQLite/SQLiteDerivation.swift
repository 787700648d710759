internal import LarderData
internal import LarderDomain

/// Fills derived columns that were added to tables with rows. Versions do not change.
///
/// It reads aggregates in batches, so memory use does not depend on the size of the database.
struct SQLiteDerivation {
    let connection: SQLiteConnection
    let plan: SQLPlan
    let added: AddedDerivations

    /// Fills all added derived columns within the current transaction. Throws `incompatible` if a row cannot be mapped.
    func fill() throws(PersistencyError) {
        for root in plan.roots where added.concern(root.schema) {
            // A blob (a photo) may have megabytes.
            let size = root.hasBlobs ? 4 : 256
            var last = Value.blob([])
            while true {
                let objects = try next(size, after: last, root)
                for object in objects { try update(object, to: added.filled(object)) }
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
        return try SQLiteReading(connection: connection).objects(statement, root)
    }

    private func update(_ old: StorageObject, to new: StorageObject) throws(PersistencyError) {
        let changed = old.values.indices.filter { new.values[$0] != old.values[$0] }
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
