internal import LarderData
internal import LarderDomain

/// Computes the derived columns of stored objects after a migration. Versions do not change.
///
/// It reads aggregates in batches, so memory use does not depend on the size of the database.
struct SQLiteDerivation {
    let connection: SQLiteConnection
    let plan: SQLPlan
    /// The names of the roots.
    let roots: Set<String>
    let report: (MigrationProgress) -> Void

    /// Computes all derived columns within the current transaction. Throws `incompatible` if an object cannot be mapped.
    func fill() throws(PersistencyError) {
        for root in plan.roots where roots.contains(root.schema.name) {
            guard let derivation = plan.schemas.derivation(of: root.schema) else { continue }
            try SQLiteBatches(connection: connection, plan: root, work: "derive \(root.schema.name)", report: report)
                .forEach { object throws(PersistencyError) in
                    try update(object, to: object.derived(by: derivation))
                }
        }
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
