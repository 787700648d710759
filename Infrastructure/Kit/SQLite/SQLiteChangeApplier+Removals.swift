internal import LarderData
internal import LarderDomain

extension SQLiteChangeApplier {
    /// Removes references from all referring aggregates without reading them. The number of statements depends on the
    /// number of referring columns and links, not on the number of targets or aggregates.
    func removeReferences(_ changes: ChangeSet) throws(PersistencyError) {
        for (name, groups) in PreparedRemovals(changes.removals).groups {
            guard let root = self.plan[name] else { throw .unknownEntity(name) }
            let removals = groups.map { SQLRemoval($0.reference, root.table, .sqlite) }
            let targets = groups.map { Value.blob(RawID.packed($0.targets)) }
            // Roots that the change set writes already have their new versions.
            let written =
                changes.updates.filter { $0.key.schema.name == name }.map(\.key.id)
                + changes.inserts.filter { $0.schema.name == name }.map(\.id)
            // All versions are raised before the first removal, which deletes the values that identify referring roots.
            try run(SQLRemoval.raise(removals, root.table, .sqlite), [.blob(RawID.packed(written))] + targets)
            for (removal, targets) in zip(removals, targets) {
                if let park = removal.park {
                    try run(park, [targets])
                    if connection.lastChanges > 0 { for step in removal.closeGaps { try run(step, [targets]) } }
                }
                try run(removal.remove, [targets])
            }
        }
    }

    private func run(_ text: String, _ values: [Value]) throws(PersistencyError) {
        let statement = try connection.statement(text)
        try statement.bind(values, from: 1)
        try statement.run()
    }
}
