import CLarderSQLite
import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// Stores that earlier versions of the program have created, with records of the first formats; see
/// `CookbookAppTests/Databases/README.txt`.
@Suite(.serialized) struct GoldenAdoptionTests {
    private let scratch = Scratch()

    /// Copies a file of the golden stores.
    private func copy(_ name: String, to path: String) throws {
        let here = #filePath
        let folder = here.prefix(upTo: here.firstRange(of: "/CookbookDataTests/")?.lowerBound ?? here.endIndex)
        let bytes = try TimeMachine.bytes("\(folder)/CookbookAppTests/Databases/\(name)")
        #expect(!bytes.isEmpty, "\(name)")
        try POSIXFileSystem().makeFolders(scratch.folder + "/")
        try POSIXFileSystem().create(path).writeAll(bytes, at: 0, path: path)
    }

    private func contents(_ store: any Store, _ mappers: MapperSet) async throws -> Snapshot {
        let found = try await Snapshot(of: CookbookRepositories(manager: StoreManager(store, mappers: mappers)))
        for object in try await store.everything() {
            guard let derivation = store.schemas.derivation(of: object.schema) else { continue }
            #expect(try derivation(object) == object)
        }
        return found
    }

    /// The stores are older than the unique names of tags and the searches of recipes.
    private func checkAdopted(_ status: SchemaStatus, kept: [String]) {
        #expect(status.version == 1 && status.changes.isEmpty && status.history.count == 1, "\(status)")
        let added = ["tag.unique_name, text, nullable", "unique tag (unique_name)", "recipe_words, owned by recipe"]
        #expect(status.history.first?.summary == added.map { "add \($0)" }.joined(separator: "; "))
        #expect(status.kept == kept)
    }

    /// The counts of recipes, tags, photos, brands, users, cookbooks and cooking sessions.
    private func counts(_ found: Snapshot) -> [Int] {
        [
            found.recipes.count, found.tags.count, found.photos.count, found.brands.count, found.users.count,
            found.cookbooks.count, found.sessions.count,
        ]
    }

    @Test(arguments: ["before-the-service.sqlite", "20261122/store.sqlite"])
    func `a golden database is adopted, with all its data`(name: String) async throws {
        try copy(name, to: scratch.path)
        let mappers = try MapperSet(CookbookMappers.all)
        let raw = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
        #expect(try raw.integer("PRAGMA user_version") == 1)
        let tables = ["recipe", "tag", "photo", "brand", "user", "cookbook", "cooking_session"]
        let rows = try tables.map { Int(try raw.integer("SELECT count(*) FROM \($0)")) }
        var found: [Snapshot] = []
        for _ in 1...2 {
            let store = try await SQLiteStore.open(.init(.file(scratch.path)), schemas: mappers.schemas)
            found.append(try await contents(store, mappers))
            #expect(try await store.integrityProblems().isEmpty)
            await store.close()
            let kept = name.hasPrefix("20261122") ? ["access_token", "stored_answer"] : []
            checkAdopted(try SQLiteStore.schemaStatus(path: scratch.path, schemas: mappers.schemas), kept: kept)
        }
        #expect(counts(found[0]) == rows && found[0] == found[1])
        let connection = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
        #expect(try connection.integer("PRAGMA user_version") == SQLiteOpening.format)
    }

    @Test func `a golden file store is adopted, with the data of the golden database`() async throws {
        let mappers = try MapperSet(CookbookMappers.all)
        let log = scratch.folder + "/larder.log"
        for name in ["larder.log", "larder.closed"] {
            try copy("20261122/files/\(name)", to: "\(scratch.folder)/\(name)")
        }
        #expect(try head(log, mappers.schemas).format < LogCodec.format)
        var found: [Snapshot] = []
        for _ in 1...2 {
            let store = try await FileStore.open(.init(scratch.folder), schemas: mappers.schemas)
            found.append(try await contents(store, mappers))
            await store.close()
            let status = try FileStore.schemaStatus(inFolder: scratch.folder, schemas: mappers.schemas)
            checkAdopted(status, kept: ["access_token", "stored_answer"])
        }
        #expect(try head(log, mappers.schemas).format == LogCodec.format)
        try copy("20261122/store.sqlite", to: scratch.path)
        let database = try await SQLiteStore.open(.init(.file(scratch.path)), schemas: mappers.schemas)
        let other = try await contents(database, mappers)
        await database.close()
        #expect(found[0] == found[1] && counts(found[0]) == counts(other))
        #expect(Set(found[0].recipes.map(\.entity.name)) == Set(other.recipes.map(\.entity.name)))
    }

    private func head(_ log: String, _ schemas: SchemaSet) throws -> LogHead {
        try LogReplay(POSIXFile(reading: log), path: log, declared: schemas).head
    }
}
