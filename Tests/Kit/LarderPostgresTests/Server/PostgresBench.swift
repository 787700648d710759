#if Postgres
import LarderData
import LarderDomain
@testable import LarderInfrastructure
@testable import LarderInfrastructureTests
@testable import LarderPostgres

typealias Library = LarderInfrastructureTests.Sample

/// Backups in a temporary folder, and stores in PostgreSQL schemas of one name.
struct PostgresBench {
    let name: String
    let files: BackupBench

    /// - Parameter name: The PostgreSQL schema, which is created anew.
    init(_ name: String) async throws {
        (self.name, files) = (name, try BackupBench())
        await LarderPostgresTests.Scratch.drop(name)
        try await LarderPostgresTests.Scratch.run("CREATE SCHEMA \"\(name)\"")
    }

    func open(
        _ schemas: SchemaSet? = nil, migration: MigrationOptions.Mode = .additions
    ) async throws -> PostgresStore {
        var configuration = try await LarderPostgresTests.Scratch.configuration(name)
        configuration.migration = MigrationOptions(mode: migration)
        return try await PostgresStore.open(configuration, schemas: schemas ?? Library.schemas())
    }

    @discardableResult
    func restore(_ backup: String, schemas: SchemaSet? = nil, replacing: Bool = false) async throws -> Backup {
        try await PostgresStore.restore(
            files.path(backup), to: LarderPostgresTests.Scratch.configuration(name),
            schemas: schemas ?? Library.schemas(), replacing: replacing)
    }

    /// Writes a backup of roots that no store has judged.
    func forge(_ roots: [StorageObject], _ backup: String) throws {
        let snapshot = StoreSnapshot(codec: LogCodec(try Library.schemas()), sequence: 1) {
            body throws(PersistencyError) in
            for var root in roots {
                root.version = 1
                try body(root)
            }
        }
        _ = try BackupDraft(files.path(backup), replacing: true, POSIXFileSystem()).write(snapshot)
    }

    func drop() async { await LarderPostgresTests.Scratch.drop(name) }
}
#endif
