import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// Creates stores of earlier releases, and compares migrated ones with the expected content.
enum TimeMachine {
    static let all = MigrationOptions(mode: .all)

    /// Fills a store with the content of a release, and returns its objects.
    @discardableResult
    static func fill(_ store: any Store, release: Int) async throws -> [StorageObject] {
        var objects = try HistoricalData.objects(of: store.schemas, release: release)
        if release == CookbookHistory.releases.upperBound {
            // A current program stores the words of a search.
            let schemas = try CookbookHistory.newest()
            objects = try objects.map { object in
                try schemas.derivation(of: object.schema).map { try object.derived(by: $0) } ?? object
            }
        }
        var changes = ChangeSet(inserts: objects)
        changes.keepsVersions = true
        _ = try await store.commit(changes)
        return objects
    }

    /// Opens a database of the given schemas.
    static func database(_ path: String, _ schemas: SchemaSet) async throws(PersistencyError) -> SQLiteStore {
        try await SQLiteStore.open(.init(.file(path), durability: .normal, migration: all), schemas: schemas)
    }

    /// Opens a file store of the given schemas.
    static func files(_ folder: String, _ schemas: SchemaSet) async throws(PersistencyError) -> FileStore {
        try await FileStore.open(.init(folder, migration: all), schemas: schemas)
    }

    /// Creates a database with the content of a release.
    static func makeDatabase(_ path: String, release: Int) async throws {
        let store = try await database(path, CookbookHistory.schemas(of: release))
        try await fill(store, release: release)
        await store.close()
    }

    /// Creates a file store with the content of a release.
    static func makeFiles(_ folder: String, release: Int) async throws {
        let store = try await files(folder, CookbookHistory.schemas(of: release))
        try await fill(store, release: release)
        await store.close()
    }

    /// Compares everything that the mappers read with the expected content.
    static func check(_ store: any Store, from release: Int, _ kind: String) async throws {
        let manager = StoreManager(store, mappers: try CookbookHistory.mappers())
        let found = try await Snapshot(of: CookbookRepositories(manager: manager))
        let brandIDs = Dictionary(found.brands.map { ($0.entity.name, $0.id) }) { first, _ in first }
        let expected = try HistoricalData.expected(from: release, brandIDs: brandIDs)
        let label: Comment = "\(kind), from release \(release)"
        #expect(found.recipes == expected.recipes, label)
        #expect(found.tags == expected.tags, label)
        #expect(found.photos == expected.photos, label)
        #expect(found.brands == expected.brands, label)
        #expect(found.users == expected.users, label)
        #expect(found.cookbooks == expected.cookbooks, label)
        #expect(found.sessions == expected.sessions, label)
        for object in try await store.everything() {
            guard let derivation = store.schemas.derivation(of: object.schema) else { continue }
            #expect(try derivation(object) == object, label)
        }
    }
}
