public import LarderDomain

/// Loads the photo of a recipe.
public struct GetPhoto: Sendable {
    /// How often the recipe is read again when its photo was replaced in between.
    private static let attempts = 3

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// The photo with its bytes, or `nil` when the recipe has none.
    ///
    /// - Throws: `notFound` when there is no such recipe for the caller.
    public func execute(_ recipe: EntityID<Recipe>) async throws(PersistencyError) -> Stored<Photo>? {
        let repositories = storage.repositories
        for _ in 0..<Self.attempts {
            guard let id = try await repositories.recipes.require(recipe).photo else { return nil }
            if let photo = try await repositories.photos.read(id) { return photo }
        }
        return nil
    }
}
