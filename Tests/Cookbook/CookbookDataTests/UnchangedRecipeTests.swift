import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An unchanged save of a recipe with steps, ingredients, tags, and photos, observed from outside the store.
@Suite("Unchanged recipes")
struct UnchangedRecipeTests {
    /// The bytes and the times of a database and its log.
    private func files(_ path: String) throws -> [String: [String]] {
        var files: [String: [String]] = [:]
        for suffix in ["", "-wal"] {
            guard let bytes = FileManager.default.contents(atPath: path + suffix) else { continue }
            let modified = try FileManager.default.attributesOfItem(atPath: path + suffix)[.modificationDate] as? Date
            let time = modified.map { "\($0.timeIntervalSinceReferenceDate)" } ?? ""
            files[suffix] = [time, "\(bytes.count)", "\(bytes.hashValue)"]
        }
        return files
    }

    private func withCookbook<Result>(
        _ path: String, _ body: (SQLiteStore, CookbookStorage) async throws -> Result
    ) async throws -> Result {
        let mappers = try MapperSet(CookbookMappers.all)
        let store = try await SQLiteStore.open(.init(.file(path)), schemas: mappers.schemas)
        let storage = CookbookStorage(
            manager: StoreManager(store, mappers: mappers), makeRepositories: { CookbookRepositories(manager: $0) })
        let result = try await body(store, storage)
        await store.close()
        return result
    }

    private func fill(_ repositories: CookbookRepositories) async throws {
        let ids = UUIDv7Generator(now: { Timestamp(microseconds: 1_700_000_000_000_000) })
        func photo() async throws -> EntityID<Photo> {
            let photo = try Photo(
                id: ids.next(), mediaType: .gif, digest: Kitchen.digest, bytes: Array("GIF89a".utf8))
            return try await repositories.photos.create(photo).id
        }
        let tags = try (0..<3).map { try CookbookDomain.Tag(id: ids.next(), name: "tag \($0)") }
        for tag in tags { _ = try await repositories.tags.create(tag) }
        for number in 0..<20 {
            let photo = try await photo()
            let recipe = try Recipe(
                id: ids.next(), name: "Recipe \(number)", summary: "é", difficulty: 2, preparationMinutes: 5,
                photo: photo, createdAt: Kitchen.epoch,
                steps: try (0..<7).map { try Step(id: ids.next(), text: "Step \($0)", timerSeconds: 60) },
                ingredients: try (0..<8).map {
                    try Ingredient(id: ids.next(), text: "Ingredient \($0)", quantity: 0.1 * Double($0), unit: "g")
                }, tags: tags.map(\.id))
            _ = try await repositories.recipes.create(recipe)
        }
    }

    private func saveAll(_ storage: CookbookStorage) async throws {
        func save(_ repositories: CookbookRepositories) async throws {
            let recipes = try await repositories.recipes.read().items
            #expect(recipes.count == 20)
            for recipe in recipes {
                let outcome = try await repositories.recipes.save(recipe.entity).outcome
                #expect(outcome == .unchanged)
            }
            for tag in try await repositories.tags.read().items { _ = try await repositories.tags.save(tag.entity) }
            for photo in try await repositories.photos.read().items {
                _ = try await repositories.photos.save(photo.entity)
            }
        }
        try await save(storage.repositories)
        try await storage.transaction { try await save($0) }
    }

    @Test func `saving unchanged recipes writes no frame, no version and no byte`() async throws {
        try await withTemporaryFile { path in
            try await withCookbook(path) { store, storage in
                try await fill(storage.repositories)
                let observer = try SQLiteOpening(configuration: store.configuration, plan: store.plan)
                    .reader(SQLiteFiles(path))
                func totalChanges() throws -> Int64 {
                    try #require(store.writer).read { connection throws(PersistencyError) in
                        connection.rowsWritten
                    }
                }
                let before = (try files(path), try observer.integer("PRAGMA data_version"), try totalChanges())
                try await saveAll(storage)
                #expect(try files(path) == before.0)
                #expect(try observer.integer("PRAGMA data_version") == before.1)
                #expect(try totalChanges() == before.2)
                _ = try await storage.repositories.tags.save(
                    CookbookDomain.Tag(id: EntityID(RawID(high: 1, low: 1)), name: "new"))
                #expect(try files(path) != before.0)
                #expect(try observer.integer("PRAGMA data_version") != before.1)
                // A row, and one in the journal.
                #expect(try totalChanges() == before.2 + 2)
            }
        }
    }

    @Test func `saving unchanged recipes after reopening does not change the file`() async throws {
        try await withTemporaryFile { path in
            try await withCookbook(path) { try await fill($1.repositories) }
            let before = try files(path)
            for _ in 0..<2 {
                try await withCookbook(path) { try await saveAll($1) }
                #expect(try files(path) == before)
            }
        }
    }
}
