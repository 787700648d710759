package import LarderData
package import LarderDomain

/// The check of a unique group after a change set was applied.
package struct SQLUniqueness {
    package let plan: SQLTablePlan
    /// The index of the group.
    package let group: Int
    /// The roots that may have new values of the group, in the order of the change set.
    package let written: [RawID]

    /// The check of each group that a change set writes.
    package static func checks(of changes: ChangeSet, _ plan: SQLPlan) -> [SQLUniqueness] {
        var checks: [SQLUniqueness] = []
        for root in plan.roots where !root.schema.uniques.isEmpty {
            let name = root.schema.name
            // By index, because a copy of an object costs as much as binding a text.
            let inserted = changes.inserts.indices.filter { changes.inserts[$0].schema.name == name }
            for (index, group) in root.schema.uniques.enumerated() {
                let updated = changes.updates.filter { update in
                    update.key.schema.name == name && update.changes.columns.contains { group.contains($0.column) }
                }
                let written = updated.map(\.key.id) + inserted.map { changes.inserts[$0].id }
                if !written.isEmpty { checks.append(SQLUniqueness(plan: root, group: index, written: written)) }
            }
        }
        return checks
    }

    /// The statement that selects other roots with the same values. (ids)
    package var duplicates: SQLStatementText { plan.duplicates[group] }

    /// Throws `duplicate` for a root with the values of another one, unless the latter is at fault: of two duplicates in
    /// the change set, the later one.
    package func judge(_ id: RawID, _ existing: RawID) throws(PersistencyError) {
        if let other = written.firstIndex(of: existing), let this = written.firstIndex(of: id), other > this { return }
        let columns = plan.schema.uniques[group].map { plan.schema.columns[$0].name }
        throw .duplicate(Duplicate(entity: plan.schema.name, columns: columns, existing: existing))
    }
}

extension PersistencyError {
    /// The error of an object whose id exists.
    package static func duplicateID(_ id: RawID, _ schema: EntitySchema) -> PersistencyError {
        .duplicate(Duplicate(entity: schema.name, columns: ["id"], existing: id))
    }
}
