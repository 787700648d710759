public import LarderData
public import LarderDomain

extension MemoryStore {
    /// A store with the content of a backup, migrated to the given schemas; for tests.
    ///
    /// - Throws: The errors of ``Backup/verify(_:progress:)``; `incompatible` as opening a durable store with these schemas.
    /// - Complexity: O(*n*) time and memory.
    public static func restored(
        from path: String, schemas: SchemaSet, ids: any IDGenerator = UUIDv7Generator()
    ) async throws(PersistencyError) -> MemoryStore {
        try await StoreThread(label: "store.memory.restore").run { () throws(PersistencyError) in
            var reader = try BackupReader(path)
            let state = try reader.state().0
            return MemoryStore(
                try state.migrated(to: schemas, reader.head.record, ids: ids), schemas, JournalBounds(), nil)
        }
    }
}

extension MemoryStore: SnapshotStore {
    package nonisolated func withSnapshot<Result: Sendable>(
        _ progress: BackupProgress?, _ body: @Sendable (StoreSnapshot) throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        let state = try withState { (state) throws(PersistencyError) in state }
        let lifetime = traits.capabilities.contains(.journal) ? hub.lifetime : 0
        let codec = LogCodec(schemas, history: SchemaRecord(creating: schemas, at: .now()).history)
        return try await StoreThread(label: "store.memory.backup").run { () throws(PersistencyError) in
            try body(StoreSnapshot(state, codec, lifetime: lifetime))
        }
    }
}
