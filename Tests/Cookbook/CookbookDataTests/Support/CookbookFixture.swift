import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import LarderInfrastructure

/// A cookbook in memory, with its own ids and clock.
struct CookbookFixture {
    let store: MemoryStore
    let storage: CookbookStorage
    let ids = UUIDv7Generator(now: { Timestamp(microseconds: 1_700_000_000_000_000) })

    init(script: MemoryStore.Script? = nil) throws {
        let mappers = try MapperSet(CookbookMappers.all)
        store = MemoryStore(mappers.schemas, script: script)
        storage = CookbookStorage(
            manager: StoreManager(store, mappers: mappers), makeRepositories: { CookbookRepositories(manager: $0) })
    }

    var repositories: CookbookRepositories { storage.repositories }

    var importRecipes: ImportRecipes {
        ImportRecipes(storage: storage, ids: ids, now: { Timestamp(microseconds: 42) })
    }

    /// Imports drafts and returns their recipes.
    @discardableResult
    func add(_ drafts: RecipeDraft...) async throws -> [Recipe] {
        _ = try await importRecipes.execute(.init(drafts, isAllOrNothing: true))
        var recipes: [Recipe] = []
        for draft in drafts { recipes.append(try await recipe(draft.sourceIdentifier)) }
        return recipes
    }

    /// The recipe from a source.
    func recipe(_ source: String) async throws -> Recipe {
        let found = try await repositories.recipes.fromSources([source])
        guard let recipe = found.first?.entity else { throw Missing(what: source) }
        return recipe
    }

    /// The only tag with a name.
    func tag(_ name: String) async throws -> Tag {
        guard let tag = try await repositories.tags.named([name]).first?.entity else {
            throw Missing(what: name)
        }
        return tag
    }

    /// The names of a recipe's tags.
    func tagNames(of source: String) async throws -> [String] {
        let tags = try await recipe(source).tags
        return try await repositories.tags.read(tags).map(\.name)
    }

    struct Missing: Error {
        let what: String
    }
}

extension RecipeDraft {
    /// A draft in one expression.
    static func make(
        _ source: String, tags: [String] = [], _ change: (inout RecipeDraft) -> Void = { _ in }
    ) -> RecipeDraft {
        var draft = RecipeDraft(sourceIdentifier: source, name: source.prefix(1).uppercased() + source.dropFirst())
        draft.tags = tags
        change(&draft)
        return draft
    }
}
