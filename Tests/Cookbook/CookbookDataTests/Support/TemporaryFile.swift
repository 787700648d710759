import LarderData
import LarderInfrastructure
import LarderTesting

/// Gives the path of a file that does not exist yet, in a folder that is removed afterwards.
func withTemporaryFile<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(folder.path + "/cookbook.sqlite")
}

extension SQLiteStore.Configuration {
    /// Opens a database with all pending migrations.
    static func migrating(_ path: String) -> SQLiteStore.Configuration {
        SQLiteStore.Configuration(.file(path), migration: MigrationOptions(mode: .all))
    }
}
