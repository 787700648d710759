import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderTesting
import Testing

@Suite("Tag names are unique, ignoring case and diacritics")
struct TagNameTests {
    /// The id of the existing tag with the name, if the call is refused as a duplicate.
    private func holder(_ act: () async throws -> Void) async -> RawID? {
        guard case .duplicate(let duplicate)? = await persistencyError(act) else { return nil }
        return duplicate.existing
    }

    @Test(arguments: StoreKind.allCases)
    func `a name that differs only in case and diacritics is refused by every call`(kind: StoreKind) async throws {
        try await Kitchen.on(kind) { kitchen in
            let tags = kitchen.repositories.tags
            let swiss = try await tags.create(Tag(id: kitchen.ids.next(), name: "Crème Swiss"))
            let other = try await tags.create(Tag(id: kitchen.ids.next(), name: "other"))
            let taken = try other.entity.renamed("cre\u{300}me swiss")
            #expect(
                await holder { try await tags.create(Tag(id: kitchen.ids.next(), name: "CREME SWISS")) }
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

    @Test func `a migration lists the spellings of one name that an earlier version stored, and changes nothing`()
        async throws
    {
        try await withTemporaryFile { path in
            let names = ["Swiss", "swiss", "Suisse", "Crème", "Creme", "CRÈME"]
            let ids = names.map { _ in UUIDv7Generator().next(Tag.self) }
            try await fillAsBefore(path, tags: Dictionary(uniqueKeysWithValues: zip(names, ids)))
            let mappers = try MapperSet(CookbookMappers.all, evolution: CookbookMappers.evolution)
            let error = await persistencyError {
                _ = try await SQLiteStore.open(.migrating(path), schemas: mappers.schemas)
            }
            guard case .incompatible(let reason) = error else { return #expect(Bool(false), "\(error as Any)") }
            let spellings = [ids[0...1], ids[3...5]].map { $0.sorted().map(\.description).joined(separator: ", ") }
            #expect(reason.hasPrefix("objects of tag have the same name_folded, which must be unique: "))
            #expect(spellings.allSatisfy { reason.contains($0) } && !reason.contains(ids[2].description), "\(reason)")

            // The previous program opens the store, and merges them.
            let store = try await SQLiteStore.open(.init(.file(path)), schemas: PreviousSchemas.all)
            let merged = [ids[1], ids[4], ids[5]].map { id in
                RootExpectation(EntityKey(PreviousSchemas.tag, id.rawValue), version: 1)
            }
            _ = try await store.commit(ChangeSet(deletes: merged))
            await store.close()
            let migrated = try await SQLiteStore.open(.migrating(path), schemas: mappers.schemas)
            let tags = CookbookRepositories(manager: StoreManager(migrated, mappers: mappers)).tags
            #expect(try await tags.named(["SWISS", "creme"]).map(\.name).sorted() == ["Crème", "Swiss"])
            #expect(await holder { try await tags.create(Tag(id: ids[1], name: "CRÊME")) } == ids[3].rawValue)
            await migrated.close()
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
