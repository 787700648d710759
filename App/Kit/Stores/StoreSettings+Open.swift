public import LarderData
internal import LarderDomain
internal import LarderInfrastructure

extension StoreSettings {
    /// Opens the store with some schemas; whoever opened it closes it.
    ///
    /// - Throws: `PersistencyError`: `alreadyOpen`, `incompatible` or `unavailable`.
    public func open(_ schemas: SchemaSet) async throws -> any Store {
        do {
            switch location {
            case .memory: return MemoryStore(schemas)
            case .sqlite(let path):
                return try await SQLiteStore.open(
                    .init(.file(path), durability: durability, purpose: purpose), schemas: schemas)
            case .file(let folder):
                return try await FileStore.open(.init(folder, purpose: purpose), schemas: schemas)
            }
        } catch PersistencyError.incompatible(let why) {
            // Nobody has named the usual store, and not every reason names its file.
            throw PersistencyError.incompatible("\(location): \(why)")
        }
    }
}
