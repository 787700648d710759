import Foundation
import LarderData
import LarderInfrastructure
import LarderStoreContract

/// The kinds of stores that these tests judge.
extension StoreFixture {
    static let all: [StoreFixture] = [
        memory, dictionary, file, sqliteInMemory, sqlite(.full), sqlite(.normal), cached,
    ]

    static let memory = StoreFixture("memory") { schemas, _ in MemoryStore(schemas) }

    static let dictionary = StoreFixture("dictionary") { schemas, _ in DictionaryStore(schemas) }

    static let sqliteInMemory = StoreFixture("sqlite in memory") { schemas, _ in
        try await SQLiteStore.open(SQLiteStore.Configuration(.memory), schemas: schemas)
    }

    static let cached = StoreFixture("memory, cached") { schemas, _ in CachedStore(MemoryStore(schemas)) }

    /// The base is a store with concurrent commits and reads.
    static let cachedSQLite = sqlite(.normal, named: "sqlite, cached") { CachedStore($0) }

    static func sqlite(_ durability: SQLiteStore.Durability) -> StoreFixture {
        sqlite(durability, named: "sqlite, durability \(durability)") { $0 }
    }

    #if SQLCipher
    /// A raw key, because a key takes a twentieth of a second to derive from a passphrase, for each connection.
    static let sealedSQLite: StoreFixture = {
        let key = "x'" + String(repeating: "0f", count: 32) + "'"
        return sqlite(.normal, named: "sqlite, sealed as a whole", passphrase: try? Passphrase(key)) { $0 }
    }()
    #endif

    private static func sqlite(
        _ durability: SQLiteStore.Durability, named name: String, passphrase: Passphrase? = nil,
        wrap: @escaping @Sendable (SQLiteStore) -> any Store
    ) -> StoreFixture {
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-contract").path
        return StoreFixture(name) { schemas, scratch in
            let path = "\(folder)/\(scratch)/library.sqlite"
            let configuration = SQLiteStore.Configuration(.file(path), durability: durability, passphrase: passphrase)
            return wrap(try await SQLiteStore.open(configuration, schemas: schemas))
        } copy: { scratch, other in
            try FileManager.default.copyItem(atPath: "\(folder)/\(scratch)", toPath: "\(folder)/\(other)")
        } discard: { scratch in
            try? FileManager.default.removeItem(atPath: "\(folder)/\(scratch)")
        }
    }

    static let file: StoreFixture = {
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-contract").path
        return StoreFixture("file") { schemas, scratch in
            try await FileStore.open(.init("\(folder)/\(scratch)/log"), schemas: schemas)
        } copy: { scratch, other in
            try FileManager.default.copyItem(atPath: "\(folder)/\(scratch)", toPath: "\(folder)/\(other)")
        } discard: { scratch in
            try? FileManager.default.removeItem(atPath: "\(folder)/\(scratch)")
        }
    }()
}
