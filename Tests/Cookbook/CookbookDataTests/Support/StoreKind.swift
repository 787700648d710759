import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The kinds of stores for tests of the cookbook.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, sqliteMemory, sqliteFile

    /// Opens an empty store, runs a body with it, and removes it even if the body throws.
    func withStore<Result>(_ schemas: SchemaSet, _ body: (any Store) async throws -> Result) async throws -> Result {
        switch self {
        case .memory: try await body(MemoryStore(schemas))
        case .sqliteMemory: try await body(SQLiteStore.open(.init(.memory), schemas: schemas))
        case .sqliteFile:
            try await withTemporaryFile { path in
                let store = try await SQLiteStore.open(.init(.file(path), durability: .off), schemas: schemas)
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
    }
}

/// Gives the path of a file that does not exist yet, in a folder that is removed afterwards.
func withTemporaryFile<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "larder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.appending(path: "cookbook.sqlite").path)
}
