package import LarderData
package import LarderDomain

/// The changes that lead from a recorded schema to the declared one.
package struct SchemaPlan: Sendable {
    /// Changes between two shapes: of the structure, or by a step.
    package struct Stage: Sendable {
        package enum Work: Sendable {
            case structure([SchemaAction])
            case step(MigrationStep)
        }

        package let work: Work
        package let before: SchemaShape
        package let after: SchemaShape

        var actions: [SchemaAction] { if case .structure(let actions) = work { actions } else { [] } }
    }

    package let declared: SchemaSet
    package let record: SchemaRecord
    package var stages: [Stage] = []
    /// The steps of lower stores that have no such entity, and so nothing to change.
    var skipped: [MigrationStep] = []
    /// The roots whose derived columns must be computed.
    package var derived: Set<String> = []
    /// The shape to record: the declared one, and the kept items.
    package var result: SchemaShape
    /// The recorded items that the program does not declare. They stay as they are.
    var kept: [SchemaItem] = []

    package var actions: [SchemaAction] {
        stages.map(\.actions).joined().map(\.self)
    }

    package var steps: [MigrationStep] {
        stages.compactMap { stage in if case .step(let step) = stage.work { step } else { nil } }
    }

    /// Whether the program may use the store as it is.
    package var isEmpty: Bool { stages.isEmpty && !raisesVersion }

    /// Whether the program declares a higher version than the recorded one.
    var raisesVersion: Bool { declared.evolution.version > record.version && !record.items.isEmpty }

    /// Whether programs of the recorded version can still use the store after the plan.
    package var isAdditive: Bool { steps.isEmpty && actions.allSatisfy(\.isAdditive) }

    /// Whether only indexes differ, which do not affect the answers of a store.
    package var concernsIndexesOnly: Bool {
        steps.isEmpty && !raisesVersion
            && actions.allSatisfy { action in
                if case .drop(let item) = action { return item.kind == .index }
                return !action.added.isEmpty && action.added.allSatisfy { $0.kind == .index }
            }
    }

    /// The kept items for users; the members of an entity are implied.
    var keptDescriptions: [String] {
        kept.filter { $0.kind == .entity || declared[$0.entity] != nil }.map { "\($0)" }
    }

    /// Descriptions of the changes for users.
    package var descriptions: [String] {
        stages.flatMap { stage in
            switch stage.work {
            case .structure(let actions): actions.flatMap(\.descriptions)
            case .step(let step): ["step '\(step.name)' of \(step.entity)"]
            }
        } + (raisesVersion ? ["raise the schema version from \(record.version) to \(declared.evolution.version)"] : [])
    }

    /// The record after the migration.
    func recorded(at time: Timestamp) -> SchemaRecord {
        let entries = (steps + skipped).sorted { $0.version < $1.version }.map { step in
            SchemaHistoryEntry(
                version: step.version, step: step.name, checksum: step.checksum, refusesBefore: step.refusesBefore,
                time: time, summary: "step '\(step.name)' of \(step.entity)")
        }
        // A list of more changes than a user would read is cut.
        let structure = actions.flatMap(\.descriptions)
        let rest = structure.count > 20 ? ["… and \(structure.count - 20) more"] : []
        let changes = (structure.prefix(20) + rest).joined(separator: "; ")
        let summary = isEmpty ? "adopted" : changes.isEmpty ? "schema version \(declared.evolution.version)" : changes
        let last = declared.historyEntry(at: time, summary: summary)
        return SchemaRecord(items: result.items, history: record.history + entries + [last])
    }

    /// The record after the migration of an existing or a new database.
    package func nextRecord(at time: Timestamp) -> SchemaRecord {
        record.items.isEmpty ? SchemaRecord(creating: declared, at: time) : recorded(at: time)
    }

    /// Throws `incompatible` if the options do not permit the pending changes.
    package func check(_ options: MigrationOptions) throws(PersistencyError) {
        // A new store needs no permission.
        if isEmpty || record.items.isEmpty { return }
        let pending = descriptions.joined(separator: "; ")
        switch options.mode {
        case .all: return
        case .additions:
            if isAdditive { return }
            throw .incompatible(
                "the store has schema version \(record.version), and this program \(declared.evolution.version): migrate "
                    + "it first (pending: \(pending))")
        case .none: throw .incompatible("the store must be migrated first (pending: \(pending))")
        }
    }
}

extension SchemaStatus {
    package init(_ plan: SchemaPlan, statements: [String] = [], locks: [String] = []) {
        self.init(
            version: plan.record.version, history: plan.record.history, changes: plan.descriptions,
            kept: plan.keptDescriptions, statements: statements, locks: locks, isAdditive: plan.isAdditive)
    }
}
