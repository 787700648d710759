public import LarderDomain

/// Removes the photo of a recipe.
public struct DeletePhoto: Sendable {
    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Deletes the photo in one commit with the change of its recipe. Has no effect on a recipe without a photo.
    ///
    /// - Returns: Whether there was a photo.
    /// - Throws: `notFound` if the caller sees no such recipe; `forbidden` if the caller may not change it.
    @discardableResult
    public func execute(_ id: EntityID<Recipe>) async throws -> Bool {
        try await storage.transaction { repositories in
            let recipe = try await repositories.recipes.require(id)
            // The recipe owns its photo, so the photo is deleted with the reference.
            let saved = try await repositories.recipes.update(recipe.entity.showing(nil), expecting: recipe.version)
            return saved.outcome == .updated
        }
    }
}
