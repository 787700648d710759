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

    /// The schemas of the stores, which are older than the folded names and the searches of recipes.
    private func previous() throws -> SchemaSet {
        var release = SchemaRelease(roots: CookbookMappers.all.map { $0.schema })
        for name in ["recipe", "brand"] {
            release.change(name) { $0.rename(column: "name_folded", to: "folded_name") }
        }
        release.change("recipe") { $0.remove("words") }
        // Without the hints of the mappers, which drop the former columns.
        let roots = release.hinted(["recipe": SchemaHints(), "brand": SchemaHints()])
        return try SchemaSet(roots.map { $0.name == "tag" ? PreviousSchemas.tag : $0 })
    }

    /// Deletes the second spelling of a tag, which a migration refuses. Recipes lose it.
    private func deleteSpelling(in store: any Store) async throws {
        let tag = PreviousSchemas.tag
        let isSpelling = Condition.compare(.column(0), .equal, .literal(.text("swiss")))
        let found = try await store.read(ReadRequest(tag, where: isSpelling))
        let references = store.schemas.references(to: tag)
        for spelling in found.items {
            let expected = RootExpectation(EntityKey(tag, spelling.id), version: spelling.version)
            _ = try await store.commit(
                ChangeSet(
                    deletes: [expected], removals: references.map { ReferenceRemoval(of: spelling.id, from: $0) }))
        }
        await store.close()
    }

    private func checkAdopted(_ status: SchemaStatus, kept: [String]) {
        #expect(status.version == 2 && status.changes.isEmpty, "\(status)")
        #expect(status.history.last?.summary.contains("add tag.name_folded") == true, "\(status.history)")
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
        let mappers = try MapperSet(CookbookMappers.all, evolution: CookbookMappers.evolution)
        let raw = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
        #expect(try raw.integer("PRAGMA user_version") == 1)
        let tables = ["recipe", "tag", "photo", "brand", "user", "cookbook", "cooking_session"]
        let rows = try tables.map { Int(try raw.integer("SELECT count(*) FROM \($0)")) }
        try await deleteSpelling(in: SQLiteStore.open(.init(.file(scratch.path)), schemas: previous()))
        var found: [Snapshot] = []
        for _ in 1...2 {
            let store = try await SQLiteStore.open(.migrating(scratch.path), schemas: mappers.schemas)
            found.append(try await contents(store, mappers))
            #expect(try await store.integrityProblems().isEmpty)
            await store.close()
            let kept = name.hasPrefix("20261122") ? ["access_token", "stored_answer"] : []
            checkAdopted(try SQLiteStore.schemaStatus(path: scratch.path, schemas: mappers.schemas), kept: kept)
        }
        let deleted = [0, name.hasPrefix("20261122") ? 1 : 0, 0, 0, 0, 0, 0]
        #expect(counts(found[0]) == zip(rows, deleted).map(-) && found[0] == found[1])
        let connection = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
        #expect(try connection.integer("PRAGMA user_version") == SQLiteOpening.format)
    }

    @Test func `a golden file store is adopted, with the data of the golden database`() async throws {
        let mappers = try MapperSet(CookbookMappers.all, evolution: CookbookMappers.evolution)
        let log = scratch.folder + "/larder.log"
        for name in ["larder.log", "larder.closed"] {
            try copy("20261122/files/\(name)", to: "\(scratch.folder)/\(name)")
        }
        #expect(try head(log, mappers.schemas).format < LogCodec.format)
        try await deleteSpelling(in: FileStore.open(.init(scratch.folder), schemas: previous()))
        var found: [Snapshot] = []
        for _ in 1...2 {
            let options = MigrationOptions(mode: .all)
            let store = try await FileStore.open(.init(scratch.folder, migration: options), schemas: mappers.schemas)
            found.append(try await contents(store, mappers))
            await store.close()
            let status = try FileStore.schemaStatus(inFolder: scratch.folder, schemas: mappers.schemas)
            checkAdopted(status, kept: ["access_token", "stored_answer"])
        }
        #expect(try head(log, mappers.schemas).format == LogCodec.format)
        try copy("20261122/store.sqlite", to: scratch.path)
        try await deleteSpelling(in: SQLiteStore.open(.init(.file(scratch.path)), schemas: previous()))
        let database = try await SQLiteStore.open(.migrating(scratch.path), schemas: mappers.schemas)
        let other = try await contents(database, mappers)
        await database.close()
        #expect(found[0] == found[1] && counts(found[0]) == counts(other))
        #expect(Set(found[0].recipes.map(\.entity.name)) == Set(other.recipes.map(\.entity.name)))
    }

    private func head(_ log: String, _ schemas: SchemaSet) throws -> LogHead {
        try LogReplay(POSIXFile(reading: log), path: log, declared: schemas).head
    }
}
