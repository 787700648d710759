internal import LarderData
internal import LarderDomain

extension SchemaPlanner {
    func checkVersion() throws(PersistencyError) {
        let (evolution, record) = (declared.evolution, plan.record)
        guard evolution.version >= record.minimum else {
            let step = record.history.last { $0.refusesBefore == record.minimum }
            throw .incompatible(
                "the store refuses programs before schema version \(record.minimum), and this program has "
                    + "\(evolution.version) (\(step?.summary ?? "")): use a newer version of the program")
        }
        guard record.version >= evolution.oldest else {
            throw .incompatible(
                "the store has schema version \(record.version), and this program migrates stores from version "
                    + "\(evolution.oldest): migrate it with an earlier version of the program first")
        }
    }

    /// Reports steps that were changed or removed after they were applied. An older program does not know later steps.
    func checkHistory() throws(PersistencyError) {
        let evolution = declared.evolution
        for entry in plan.record.history where !entry.step.isEmpty && entry.version <= evolution.version {
            guard let step = evolution.steps.first(where: { $0.name == entry.step }) else {
                if entry.version <= evolution.oldest { continue }
                throw .incompatible(
                    "the store has applied step '\(entry.step)' of version \(entry.version), which this program does not "
                        + "declare: declare it, or raise the oldest version that is migrated to \(entry.version)")
            }
            guard step.checksum == entry.checksum else {
                throw .incompatible(
                    "step '\(entry.step)' was edited after the store applied it: restore its declaration, and declare a "
                        + "new step for further changes")
            }
        }
    }
}
