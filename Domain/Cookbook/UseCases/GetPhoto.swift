public import LarderDomain

/// Loads the photo of a recipe.
public struct GetPhoto: Sendable {
    /// The number of attempts if the photo is replaced between the reads of the recipe and of the photo.
    private static let attempts = 3

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// The photo with its bytes, or `nil` if the recipe has none.
    ///
    /// - Throws: `notFound` if the caller sees no such recipe.
    public func execute(_ recipe: EntityID<Recipe>) async throws(PersistencyError) -> Stored<Photo>? {
        let repositories = storage.repositories
        for _ in 0..<Self.attempts {
            guard let id = try await repositories.recipes.require(recipe).photo else { return nil }
            if let photo = try await repositories.photos.read(id) { return photo }
        }
        return nil
    }
}
