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
        // The recipe owns its photo, so the photo is deleted with the reference.
        try await storage.repositories.recipes.change(id) { $0 = $0.showing(nil) }.outcome == .updated
    }
}
