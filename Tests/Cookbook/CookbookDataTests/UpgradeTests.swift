import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@Suite("A database of the first cookbook")
struct UpgradeTests {
    private let ids = UUIDv7Generator()

    /// A recipe with every kind of content, in its earlier format.
    private func fill(_ path: String, isUnderived: Bool = false) async throws -> Recipe {
        let (tag, photo) = (try Tag(id: ids.next(), name: "Hot"), try photo())
        let step = try Step(id: ids.next(), text: "Boil")
        let salt = try Ingredient(id: ids.next(), text: "Salt", quantity: 0.5, unit: "tsp")
        let recipe = try Recipe(
            id: ids.next(), name: "Soup", summary: "Good", published: CalendarDay("2026-11-20"), rating: 4,
            preparationMinutes: 10, completed: true, photo: photo.id, sourceIdentifier: "soup",
            createdAt: Timestamp(microseconds: 42), steps: [step], ingredients: [salt], tags: [tag.id])
        let schemas = try PreviousSchemas.all
        let store = try await SQLiteStore.open(
            .init(.file(path)),
            schemas: isUnderived ? SchemaSet(schemas.roots.map(PreviousSchemas.underived)) : schemas)
        let objects: [StorageObject] = [
            StorageObject(schema: PreviousSchemas.tag, id: tag.id.rawValue, values: [.text("Hot"), .text("hot")]),
            StorageObject(
                schema: PreviousSchemas.photo, id: photo.id.rawValue,
                values: [.text("image/gif"), .text(photo.digest), .blob(photo.bytes)]),
            StorageObject(
                schema: PreviousSchemas.recipe, id: recipe.id.rawValue,
                values: [
                    .text("Soup"), .text("soup"), .text("Good"), .null, .text("2026-11-20"), .integer(3),
                    .integer(4), .integer(10), .null, .integer(10), .null, .integer(1), .id(photo.id.rawValue),
                    .text("soup"), .integer(42),
                ],
                children: [
                    [
                        StorageObject(
                            schema: PreviousSchemas.step, id: step.id.rawValue,
                            values: [.text("Boil"), .null, .null])
                    ],
                    [
                        StorageObject(
                            schema: PreviousSchemas.ingredient, id: salt.id.rawValue,
                            values: [.text("Salt"), .real(0.5), .text("tsp")])
                    ],
                ], links: [[tag.id.rawValue]]),
        ]
        _ = try await store.commit(
            ChangeSet(inserts: isUnderived ? objects.map(PreviousSchemas.underived) : objects))
        await store.close()
        return recipe
    }

    private func photo() throws -> Photo {
        try Photo(id: ids.next(), mediaType: .gif, digest: Kitchen.digest, bytes: Array("GIF89a".utf8))
    }

    private func withCookbook(_ path: String, _ body: (CookbookRepositories) async throws -> Void) async throws {
        let mappers = try MapperSet(CookbookMappers.all, evolution: CookbookMappers.evolution)
        let store = try await SQLiteStore.open(.migrating(path), schemas: mappers.schemas)
        try await body(CookbookRepositories(manager: StoreManager(store, mappers: mappers)))
        await store.close()
    }

    @Test func `opens with all its data, and accepts new data`() async throws {
        try await withTemporaryFile { path in
            let recipe = try await fill(path)
            try await withCookbook(path) { repositories in
                #expect(try await repositories.recipes.require(recipe.id) == Stored(recipe, version: 1))
                #expect(recipe.owner == nil && recipe.ingredients[0].brand == nil)
                let user = try User(
                    id: ids.next(), email: "ann@example.org", firstName: "Ann", lastName: "Lee", role: .cook)
                try await repositories.users.create(user)
                try await repositories.recipes.update(recipe.owned(by: user.id), expecting: 1)
                let cookbook = try Cookbook(id: ids.next(), owner: user.id, name: "Mine", favourites: [recipe.id])
                try await repositories.cookbooks.create(cookbook)
            }
            try await withCookbook(path) { repositories in
                let stored = try await repositories.recipes.require(recipe.id)
                let owner = try #require(stored.owner)
                #expect(stored.entity == recipe.owned(by: owner))
                #expect(try await repositories.recipes.list(.init(.init(ownedBy: owner))).entities == [stored.entity])
                #expect(try await repositories.cookbooks.owned(by: owner).first?.favourites == [recipe.id])
            }
        }
    }

    @Test func `from before derived columns, is filled by the mappers on opening`() async throws {
        try await withTemporaryFile { path in
            let recipe = try await fill(path, isUnderived: true)
            try await withCookbook(path) { repositories in
                let stored = Stored(recipe, version: 1)
                let named = try await repositories.recipes.named("SOUP")
                let filter = RecipeFilter(underMinutes: 11, nameContains: "sou")
                let listed = try await repositories.recipes.list(.init(filter)).items
                let tags = try await repositories.tags.named(["HOT"])
                #expect(named == [stored] && listed == [stored] && tags.map(\.version) == [1])
            }
        }
    }

    @Test func `is refused by the first cookbook's program after the upgrade`() async throws {
        try await withTemporaryFile { path in
            _ = try await fill(path)
            try await withCookbook(path) { _ in }
            let error = await persistencyError {
                _ = try await SQLiteStore.open(.init(.file(path)), schemas: PreviousSchemas.all)
            }
            guard case .incompatible = error else { return #expect(Bool(false), "\(error as Any)") }
        }
    }
}
