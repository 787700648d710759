import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderTesting
import Testing

@Suite("Tag names are unique, ignoring case")
struct TagNameTests {
    /// The id of the existing tag with the name, if the call is refused as a duplicate.
    private func holder(_ act: () async throws -> Void) async -> RawID? {
        guard case .duplicate(let duplicate)? = await persistencyError(act) else { return nil }
        return duplicate.existing
    }

    @Test(arguments: StoreKind.allCases)
    func `a name that differs only in case is refused by every call`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let tags = kitchen.repositories.tags
            let swiss = try await tags.create(Tag(id: kitchen.ids.next(), name: "Crème Swiss"))
            let other = try await tags.create(Tag(id: kitchen.ids.next(), name: "other"))
            let taken = try other.entity.renamed("cre\u{300}me swiss")
            #expect(
                await holder { try await tags.create(Tag(id: kitchen.ids.next(), name: "CRÈME SWISS")) }
                    == swiss.id.rawValue)
            #expect(await holder { try await tags.update(taken, expecting: 1) } == swiss.id.rawValue)
            #expect(await holder { try await tags.save(taken) } == swiss.id.rawValue)
            #expect(
                await holder { try await kitchen.storage.transaction { _ = try await $0.tags.save(taken) } }
                    == swiss.id.rawValue)
            let rename = RenameTag(storage: kitchen.storage)
            #expect(
                await holder { try await rename.execute(.init(tag: other.id, name: "crème swiss")) }
                    == swiss.id.rawValue)
            #expect(try await rename.execute(.init(tag: swiss.id, name: "crème swiss")).outcome == .updated)
            #expect(try await tags.read().entities.map(\.name).sorted() == ["crème swiss", "other"])
        }
    }

    @Test func `of two spellings stored concurrently, one is refused`() async throws {
        let script = MemoryStore.Script()
        let fixture = try CookbookFixture(script: script)
        let tags = fixture.repositories.tags
        let lower = try Tag(id: fixture.ids.next(), name: "swiss")
        script.interfere { try await tags.create(lower) }
        let upper = try Tag(id: fixture.ids.next(), name: "Swiss")
        #expect(await holder { try await tags.create(upper) } == lower.id.rawValue)
        #expect(try await tags.read().entities.map(\.name) == ["swiss"])
    }

    @Test func `an import finds an existing tag ignoring case, and stores one of two spellings`() async throws {
        let fixture = try CookbookFixture()
        try await fixture.add(.make("a", tags: ["Swiss", "hot"]))
        try await fixture.add(.make("b", tags: ["cold", "swiss", "Cold", "SWISS"]), .make("c", tags: ["COLD"]))
        #expect(try await fixture.tagNames(of: "b") == ["cold", "Swiss"])
        #expect(try await fixture.tagNames(of: "c") == ["cold"])
        #expect(try await fixture.repositories.tags.read().entities.map(\.name).sorted() == ["Swiss", "cold", "hot"])
        let again = try await fixture.importRecipes.execute(.init([.make("b", tags: ["COLD", "Swiss"])]))
        guard case .unchanged? = again.first else { return #expect(Bool(false), "\(again)") }
    }

    @Test func `a limit on tags counts spellings once`() async throws {
        let fixture = try CookbookFixture()
        let names = (0..<Recipe.maximumTags).flatMap { ["tag \($0)", "TAG \($0)"] }
        try await fixture.add(.make("a", tags: names))
        #expect(try await fixture.recipe("a").tags.count == Recipe.maximumTags)
        await #expect(throws: ImportRejected.self) { try await fixture.add(.make("b", tags: names + ["one more"])) }
    }

    @Test(arguments: ["Swiss", "swiss"])
    func `duplicate spellings of an earlier version are kept, and their name is reserved`(spelling: String) async throws
    {
        try await withTemporaryFile { path in
            let ids = UUIDv7Generator()
            try await fillAsBefore(path, tags: ["Swiss": ids.next(), "swiss": ids.next(), "Alone": ids.next()])
            let mappers = try MapperSet(CookbookMappers.all)
            let store = try await SQLiteStore.open(.init(.file(path)), schemas: mappers.schemas)
            let storage = CookbookStorage(
                manager: StoreManager(store, mappers: mappers),
                makeRepositories: { CookbookRepositories(manager: $0) })
            let tags = storage.repositories.tags
            #expect(try await tags.read().entities.map(\.name).sorted() == ["Alone", "Swiss", "swiss"])
            let stored = try #require(try await tags.read().items.first { $0.name == spelling })

            // Stored entities can be saved again, which writes nothing.
            #expect(try await tags.save(stored.entity).outcome == .unchanged)
            #expect(try await tags.save(stored.entity.renamed(spelling)).outcome == .unchanged)
            // No third spelling, and no second spelling of a name that had only one.
            for name in ["SWISS", "ALONE"] {
                #expect(await holder { try await tags.create(Tag(id: ids.next(), name: name)) } != nil, "\(name)")
            }
            #expect(await holder { try await tags.update(stored.entity.renamed("sWISS")) } != nil)
            #expect(await holder { try await tags.update(stored.entity.renamed("alone")) } != nil)

            // An import prefers the same spelling.
            let imports = ImportRecipes(storage: storage, ids: ids, now: { Timestamp(microseconds: 42) })
            _ = try await imports.execute(.init([.make("a", tags: ["swiss", "Swiss"]), .make("b", tags: [spelling])]))
            let recipes = try await storage.repositories.recipes.fromSources(["a", "b"])
            #expect(recipes.map(\.tags.count).sorted() == [1, 2])
            #expect(recipes.first { $0.tags.count == 1 }?.tags == [stored.id])
            #expect(try await tags.read().items.count == 3)
            await store.close()
        }
    }

    /// A database with tags in the earlier format, before names were unique in any case.
    private func fillAsBefore(_ path: String, tags: [String: EntityID<Tag>]) async throws {
        let store = try await SQLiteStore.open(.init(.file(path)), schemas: PreviousSchemas.all)
        let objects = tags.map { name, id in
            StorageObject(
                schema: PreviousSchemas.tag, id: id.rawValue, values: [.text(name), .text(name.lowercased())])
        }
        _ = try await store.commit(ChangeSet(inserts: objects))
        await store.close()
    }
}
