public import LarderData
internal import LarderInfrastructure

extension StoreSettings {
    /// Opens the store with some schemas; whoever opened it closes it.
    ///
    /// - Throws: `PersistencyError`: `alreadyOpen`, `incompatible` or `unavailable`.
    public func open(_ schemas: SchemaSet) async throws -> any Store {
        switch location {
        case .memory: MemoryStore(schemas)
        case .sqlite(let path):
            try await SQLiteStore.open(
                .init(.file(path), durability: durability, purpose: purpose), schemas: schemas)
        case .file(let folder):
            try await FileStore.open(.init(folder, purpose: purpose), schemas: schemas)
        }
    }
}
