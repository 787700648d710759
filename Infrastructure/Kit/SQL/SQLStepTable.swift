internal import LarderData

/// The effects of a step on the table of its entity.
struct SQLStepTable {
    /// Whether the rows keep their definition, so that the step updates those that it changes. Otherwise, it copies all to
    /// a table of the new shape, which replaces the old one.
    let isUpdated: Bool
    /// The names of the indexes that it drops. The declared ones are created again at the end of a migration.
    let droppedIndexes: [String]

    init(_ step: MigrationStep, from old: SQLTable, to new: SQLTable) {
        isUpdated = SQLDefinition.objects(old) == SQLDefinition.objects(new)
        guard isUpdated else {
            // A replaced table takes its indexes along.
            droppedIndexes = old.indexes.filter { $0.table == old.name }.map(\.name)
            return
        }
        let added = step.adds.compactMap { member in if case .column(let column) = member { column } else { nil } }
        let columns = (step.reads + added).map(\.name)
        // A step also changes columns that it reads, and an index is faster to create than to change for each row.
        droppedIndexes = old.indexes.filter { $0.table == old.name && $0.columns.contains(where: columns.contains) }
            .map(\.name)
    }
}
