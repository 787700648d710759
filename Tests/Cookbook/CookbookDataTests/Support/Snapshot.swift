import CookbookDomain
import LarderDomain

/// All stored entities with their versions.
struct Snapshot: Equatable {
    let recipes: [Stored<Recipe>]
    let tags: [Stored<Tag>]
    let photos: [Stored<Photo>]
    let brands: [Stored<Brand>]
    let users: [Stored<User>]
    let cookbooks: [Stored<Cookbook>]
    let sessions: [Stored<CookingSession>]
}

extension Snapshot {
    init(of repositories: CookbookRepositories) async throws {
        recipes = try await repositories.recipes.read().items
        tags = try await repositories.tags.read().items
        photos = try await repositories.photos.read().items
        brands = try await repositories.brands.read().items
        users = try await repositories.users.read().items
        cookbooks = try await repositories.cookbooks.read().items
        sessions = try await repositories.sessions.read().items
    }
}

/// The kit's error that a body throws, or nil if it throws none.
func persistencyError(_ body: () async throws -> Void) async -> PersistencyError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? PersistencyError
    }
}

extension PersistencyError {
    var isForbidden: Bool { if case .forbidden = self { true } else { false } }
    var isNotFound: Bool { if case .notFound = self { true } else { false } }
}
