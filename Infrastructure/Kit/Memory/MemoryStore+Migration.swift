public import LarderData
public import LarderDomain

extension MemoryStore {
    /// A store with the content of this one and other schemas, as if a new version of the program had opened it. Tests of
    /// migrations use it; this store stays as it is.
    ///
    /// - Throws: `incompatible` as opening a durable store with these schemas.
    /// - Complexity: O(*n*) for each step.
    public nonisolated func migrated(
        to schemas: SchemaSet, ids: any IDGenerator = UUIDv7Generator()
    ) throws(PersistencyError) -> MemoryStore {
        let state = try withState { (state) throws(PersistencyError) in state }
        let record = SchemaRecord(creating: state.schemas, at: Timestamp(microseconds: 0))
        return MemoryStore(try state.migrated(to: schemas, record, ids: ids), schemas, JournalBounds(), nil)
    }
}

extension StoreState {
    /// The state in other schemas, which must declare everything that is recorded.
    func migrated(
        to schemas: SchemaSet, _ record: SchemaRecord, ids: any IDGenerator
    ) throws(PersistencyError) -> StoreState {
        let plan = try SchemaPlanner.plan(schemas, over: record)
        let further = plan.kept.filter { $0.kind != .index }
        guard further.isEmpty else {
            throw .incompatible("the new schemas do not declare \(plan.keptDescriptions.joined(separator: "; "))")
        }
        return try StateMigration(plan: plan, ids: ids, progress: nil).migrated(self, to: schemas)
    }
}
