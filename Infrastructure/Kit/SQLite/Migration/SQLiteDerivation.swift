internal import LarderData
internal import LarderDomain

/// Computes the derived columns and lists of stored objects after a migration. Versions do not change.
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
        var changes = ObjectChanges(from: old, to: new)
        changes.children.removeAll { !old.schema.children[$0.relationship].schema.isDerived }
        if let plan = plan[old.schema.name], !changes.children.isEmpty {
            let applier = SQLiteChangeApplier(connection: connection, plan: self.plan)
            try applier.deleteOwned(changes, old.id, plan)
            try applier.changeOwned(changes, old.id, plan)
        }
        for (olds, news) in zip(old.children, new.children) {
            for (old, new) in zip(olds, news) where !old.schema.isDerived { try update(old, to: new) }
        }
    }
}
