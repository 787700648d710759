public import LarderData
internal import LarderInfrastructure

/// The stores of the kit, on which a test runs.
public enum StoreKind: String, CaseIterable, Sendable {
    /// A `MemoryStore`.
    case memory
    /// A `SQLiteStore` in memory.
    case sqliteMemory
    /// A `SQLiteStore` over a database file, at durability `off`.
    case sqlite
    /// A `FileStore`.
    case file

    /// Opens an empty store and runs a body; then closes the store and removes its files, also after an error.
    ///
    /// - Throws: The errors of opening the store and of the body.
    public func withStore<Result>(
        _ schemas: SchemaSet, _ body: (any Store) async throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let store: any Store =
            switch self {
            case .memory: MemoryStore(schemas)
            case .sqliteMemory: try await SQLiteStore.open(.init(.memory), schemas: schemas)
            case .sqlite:
                try await SQLiteStore.open(
                    .init(.file(folder.path + "/store.sqlite"), durability: .off), schemas: schemas)
            case .file: try await FileStore.open(.init(folder.path + "/store"), schemas: schemas)
            }
        let result: Result
        do {
            result = try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        return result
    }
}
