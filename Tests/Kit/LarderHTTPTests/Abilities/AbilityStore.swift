import Foundation
import LarderApp
import LarderData
import LarderInfrastructure
import LarderStoreContract
import LarderTesting

#if Postgres
@testable import LarderPostgresTests
#endif

/// A kind of store with a column in the table of abilities.
enum AbilityStore: String, CaseIterable {
    case memory, file, sqlite, postgres, mirrored

    /// Those that can be judged here. PostgreSQL needs a server and a trait. With the trait `SQLCipher`, SQLite has another
    /// answer to the command `passphrase`.
    static var available: [AbilityStore] {
        var stores: Set<AbilityStore> = [.memory, .file]
        #if !SQLCipher
        stores.formUnion([.sqlite, .mirrored])
        #endif
        #if Postgres
        if LarderPostgresTests.TestServer.isAvailable { stores.insert(.postgres) }
        #endif
        return allCases.filter(stores.contains)
    }

    var title: String {
        switch self {
        case .memory: "memory"
        case .file: "file"
        case .sqlite: "SQLite"
        case .postgres: "PostgreSQL"
        case .mirrored: "mirrored (SQLite, file)"
        }
    }

    /// The location of a store, by its name.
    func location(_ name: String, in folder: String) async throws -> String {
        switch self {
        case .memory: return "memory:"
        case .file: return "file:\(folder)/\(name)"
        case .sqlite: return "sqlite:\(folder)/\(name).sqlite"
        case .mirrored: return "mirrored(sqlite:\(folder)/\(name).sqlite, file:\(folder)/\(name))"
        case .postgres:
            #if Postgres
            // A second opening finds the database of the first one. Each test process starts one server.
            let database = "abilities-\(name)"
            try? await LarderPostgresTests.Scratch.run("CREATE DATABASE \"\(database)\"")
            return "postgres:" + (try await LarderPostgresTests.TestServer.shared.value.connection(database: database))
            #else
            return "postgres:"
            #endif
        }
    }

    /// Judges laws on stores that the settings open.
    func verdicts(_ laws: [Law], in folder: String) async -> [String: Verdict] {
        let fixture = StoreFixture(rawValue) { schemas, scratch in
            let location = try await StoreLocation(location(scratch, in: folder), environment: .current)
            return try await StoreSettings(location: location).open(schemas)
        }
        let verdicts = await StoreContract.judge(fixture, laws: laws)
        return Dictionary(verdicts.map { ($0.law.name, $0.verdict) }) { first, _ in first }
    }
}

extension Store {
    /// Whether the store has a feature that runs SQL.
    var runsSQL: Bool {
        #if Postgres
        if runsPostgresSQL { return true }
        #endif
        return feature(SQLiteAccess.self) != nil
    }
}
