import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderTesting
import Testing

/// A cookbook in a file with the given number of recipes, each with steps, ingredients, and tags.
struct LargeCookbook {
    static let tags = 20

    let store: SQLiteStore
    let manager: any PersistencyManager
    let storage: CookbookStorage
    let ids = UUIDv7Generator(now: { Timestamp(microseconds: 1_700_000_000_000_000) })

    var repositories: CookbookRepositories { storage.repositories }

    @discardableResult
    static func with<Result>(
        recipes count: Int, _ body: (LargeCookbook) async throws -> Result
    ) async throws -> Result {
        let mappers = try MapperSet(CookbookMappers.all)
        return try await StoreKind.sqlite.withStore(mappers.schemas) { store in
            let manager = StoreManager(store, mappers: mappers)
            let cookbook = LargeCookbook(
                store: try #require(store as? SQLiteStore), manager: manager,
                storage: CookbookStorage(
                    manager: manager, makeRepositories: { CookbookRepositories(manager: $0) }))
            try await cookbook.fill(count)
            return try await body(cookbook)
        }
    }

    /// In a few large commits, because the test measures only later work.
    private func fill(_ count: Int) async throws {
        let tags = try (0..<Self.tags).map { try Tag(id: ids.next(), name: "tag \($0)") }
        _ = try await store.commit(ChangeSet(inserts: try tags.map(TagMapper.storageObject)))
        for start in stride(from: 0, to: count, by: 1000) {
            let recipes = try (start..<min(count, start + 1000)).map { number in
                try RecipeMapper.storageObject(from: try recipe(number, tags))
            }
            _ = try await store.commit(ChangeSet(inserts: recipes))
        }
    }

    private func recipe(_ number: Int, _ tags: [Tag]) throws -> Recipe {
        try Recipe(
            id: ids.next(), name: "Recipe \(number)", rating: number % 6, createdAt: Kitchen.epoch,
            steps: [try Step(id: ids.next(), text: "Stir"), try Step(id: ids.next(), text: "Bake")],
            ingredients: [try Ingredient(id: ids.next(), text: "Flour"), try Ingredient(id: ids.next(), text: "Salt")],
            tags: [tags[number % Self.tags].id, tags[(number + 7) % Self.tags].id])
    }

    /// A page of the recipes with one tag, and all tags of these recipes.
    func page(_ limit: Int?) async throws -> EntityGraph {
        let tag = try #require(try await repositories.tags.named(["tag 3"]).first)
        let page = try await repositories.recipes.list(
            .init(.init(anyOfTags: [tag.id]), sort: .rating, limit: limit, includesTotal: true))
        let tags = GraphEdge { (recipe: Recipe) in recipe.tags }
        return try await manager.graph(from: page.items, following: [tags])
    }
}
