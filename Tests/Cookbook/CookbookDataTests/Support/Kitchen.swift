import CookbookData
import CookbookDomain
import LarderData
import LarderDomain
import LarderTesting

/// A cookbook with some users and their entities, on any store.
struct Kitchen: Sendable {
    let manager: any PersistencyManager
    let faults: WriteFaults
    let ids = UUIDv7Generator(now: { Timestamp(microseconds: 1_700_000_000_000_000) })

    /// The cookbook for the program itself, without access control.
    var storage: CookbookStorage {
        CookbookStorage(manager: manager, makeRepositories: { CookbookRepositories(manager: $0) })
    }

    /// The cookbook for a caller.
    func storage(for caller: Caller, readingIsOpen: Bool = true) -> CookbookStorage {
        CookbookStorage(
            manager: manager, for: caller, readingIsOpen: readingIsOpen,
            makeRepositories: { CookbookRepositories(manager: $0) })
    }

    var repositories: CookbookRepositories { storage.repositories }

    /// Opens an empty kitchen and closes it afterwards.
    static func on<Result>(
        _ kind: StoreKind, retry: RetryPolicy = RetryPolicy(), _ body: (Kitchen) async throws -> Result
    ) async throws -> Result {
        let mappers = try MapperSet(CookbookMappers.all)
        let faults = WriteFaults()
        return try await kind.withStore(mappers.schemas) { store in
            let manager = StoreManager(faults.store(over: store), mappers: mappers, retry: retry)
            return try await body(Kitchen(manager: faults.manager(over: manager), faults: faults))
        }
    }
}

extension Kitchen {
    static let epoch = Timestamp(microseconds: 0)

    func user(_ name: String, _ role: Role = .reader) async throws -> User {
        let user = try User(
            id: ids.next(), email: "\(name)@example.org", firstName: name, lastName: "Lee", role: role)
        return try await repositories.users.create(user).entity
    }

    func cookbook(of user: User, favourites: [Recipe] = [], history: [Recipe] = []) async throws -> Cookbook {
        let cookbook = try Cookbook(
            id: ids.next(), owner: user.id, name: "Mine", favourites: favourites.map(\.id), history: history.map(\.id))
        return try await repositories.cookbooks.create(cookbook).entity
    }

    func recipe(
        _ name: String, of owner: User? = nil, photo: Photo? = nil, brand: Brand? = nil
    ) async throws -> Recipe {
        let ingredients = [
            try Ingredient(id: ids.next(), text: "Salt", brand: brand?.id),
            try Ingredient(id: ids.next(), text: "Water"),
        ]
        let recipe = try Recipe(
            id: ids.next(), name: name, photo: photo?.id, createdAt: Self.epoch, owner: owner?.id,
            ingredients: ingredients)
        return try await repositories.recipes.create(recipe).entity
    }

    func brand(_ name: String, _ language: LanguageTag = .english, photo: Photo? = nil) async throws -> Brand {
        let brand = try Brand(
            id: ids.next(), name: name, keywords: ["one", "two words"], photo: photo?.id, language: language)
        return try await repositories.brands.create(brand).entity
    }

    func photo(_ content: String = "") async throws -> Photo {
        let bytes = Array("GIF89a\(content)".utf8)
        let photo = try Photo(id: ids.next(), mediaType: .gif, digest: Self.digest, bytes: bytes)
        return try await repositories.photos.create(photo).entity
    }

    static let digest = String(repeating: "0", count: 64)

    func session(of user: User, _ recipe: Recipe?, at microseconds: Int64 = 0) async throws -> CookingSession {
        let session = try CookingSession(
            id: ids.next(), user: user.id, recipe: recipe?.id, startedAt: Timestamp(microseconds: microseconds))
        return try await repositories.sessions.create(session).entity
    }
}

extension LanguageTag {
    static let english = tag("en")
    static let german = tag("de")

    private static func tag(_ text: String) -> LanguageTag {
        guard let tag = LanguageTag(rawValue: text) else { preconditionFailure("\(text) is no tag") }
        return tag
    }
}
