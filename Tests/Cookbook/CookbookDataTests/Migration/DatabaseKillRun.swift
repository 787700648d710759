import CLarderSQLite
import LarderData
import LarderDomain
import LarderStoreContract

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// The migration of a database of one release, killed at every statement.
struct DatabaseKillRun {
    /// One copy of this number is also migrated, and another one opened as a store and read through the mappers.
    private static let (migrated, opened) = RunSize.current == .quick ? (6, 32) : (1, 4)

    private let scratch = Scratch()
    private let release: Int
    private let outcome: MigrationOutcome
    private let (oldPlan, newPlan): (SQLPlan, SQLPlan)
    private let files: [DatabaseKills.Files]
    let statements: Int

    /// The number of different copies.
    var count: Int { files.count }

    /// Migrates a database once.
    init(release: Int) async throws {
        self.release = release
        try await TimeMachine.makeDatabase(scratch.path, release: release)
        let (old, new) = (try CookbookHistory.schemas(of: release), try CookbookHistory.newest())
        (oldPlan, newPlan) = (try SQLPlan(old), try SQLPlan(new))
        let connection = try Self.connection(scratch.path)
        // Pages that do not fit into the cache are written to the log before the commit.
        try connection.execute("PRAGMA cache_size = 10")
        let before = try Self.content(connection, oldPlan)
        let kills = unsafe DatabaseKills(scratch.path, connection.handle)
        try Self.migrate(connection, newPlan)
        files = try kills.end(pageSize: Int(connection.integer("PRAGMA page_size")))
        statements = kills.statements
        outcome = MigrationOutcome(
            old: .init(schemas: old, content: before),
            new: .init(schemas: new, content: try Self.content(connection, newPlan)))
    }

    /// Opens each copy. Returns what is wrong.
    func failures() async throws -> [String] {
        var failures: [String] = []
        for (number, files) in files.enumerated() {
            do {
                let path = try place(files, "kill")
                defer { remove(path) }
                try check(path, migrating: number % Self.migrated == 0)
                if number % Self.opened == 1 { try await open(place(files, "open")) }
            } catch {
                failures.append("release \(release), copy \(number): \(error)")
            }
        }
        return failures
    }

    private func check(_ path: String, migrating: Bool) throws {
        let connection = try Self.connection(path)
        let isNew = try outcome.isNew(SQLiteSchemaRecord(connection: connection).read().items)
        let found = try Self.content(connection, isNew ? newPlan : oldPlan)
        try outcome.check((isNew ? outcome.new : outcome.old).holds(found), "the content is neither old nor new")
        if migrating {
            try Self.migrate(connection, newPlan)
            let result = try Self.content(connection, newPlan)
            try outcome.check(outcome.new.holds(result), "the next migration has another result")
        }
        let problems = try connection.statement("PRAGMA integrity_check")
        defer { problems.finish() }
        try outcome.check(try problems.step() && problems.text(0) == "ok", "the database is damaged")
    }

    private func open(_ path: String) async throws {
        defer { remove(path) }
        let store = try await TimeMachine.database(path, outcome.new.schemas)
        try await TimeMachine.check(store, from: release, "sqlite after a kill")
        await store.close()
    }

    private static func connection(_ path: String) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path, flags: SQLITE_OPEN_READWRITE)
        // Other tests are about syncs.
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.execute("PRAGMA foreign_keys = ON")
        return connection
    }

    private static func migrate(_ connection: SQLiteConnection, _ plan: SQLPlan) throws {
        try SQLiteMigration(
            connection: connection, plan: plan, options: TimeMachine.all, ids: RepeatedIDs()
        ).apply()
    }

    private static func content(_ connection: SQLiteConnection, _ plan: SQLPlan) throws -> [StorageObject] {
        connection.forgetStatements()
        defer { connection.forgetStatements() }
        var content: [StorageObject] = []
        for root in plan.roots {
            try SQLiteObjects(connection: connection, plan: plan)
                .forEachBatch(of: root.schema.name) { content += $0 }
        }
        return content
    }

    private func place(_ files: DatabaseKills.Files, _ name: String) throws -> String {
        let path = scratch.folder + "/\(name).sqlite"
        for (suffix, bytes) in [("", files.database), ("-wal", files.log)] where suffix.isEmpty || !bytes.isEmpty {
            try POSIXFileSystem().create(path + suffix).writeAll(bytes, at: 0, path: path + suffix)
        }
        return path
    }

    private func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", ".lock"] { try? POSIXFileSystem().remove(path + suffix) }
        for release in CookbookHistory.releases {
            try? POSIXFileSystem().remove(path + ".version-\(CookbookHistory.version(of: release))")
        }
    }
}
