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
    let updates: SQLiteRowUpdates

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
        try updates.update(old, to: new)
        for (olds, news) in zip(old.children, new.children) {
            for (old, new) in zip(olds, news) { try update(old, to: new) }
        }
    }
}
