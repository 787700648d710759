import Foundation
import LarderData
import LarderInfrastructure
import LarderStoreContract

/// The kinds of stores that the contract judges here.
extension StoreFixture {
    static let memory = StoreFixture("memory") { schemas, _ in MemoryStore(schemas) }

    static let dictionary = StoreFixture("dictionary") { schemas, _ in DictionaryStore(schemas) }

    static let sqliteInMemory = StoreFixture("sqlite in memory") { schemas, _ in
        try await SQLiteStore.open(SQLiteStore.Configuration(.memory), schemas: schemas)
    }

    static let sqliteFile = sqlite(.full)

    static func sqlite(_ durability: SQLiteStore.Durability) -> StoreFixture {
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-contract").path
        return StoreFixture("sqlite, durability \(durability)") { schemas, scratch in
            let path = "\(folder)/\(scratch)/library.sqlite"
            return try await SQLiteStore.open(.init(.file(path), durability: durability), schemas: schemas)
        } discard: { scratch in
            try? FileManager.default.removeItem(atPath: "\(folder)/\(scratch)")
        }
    }
}
