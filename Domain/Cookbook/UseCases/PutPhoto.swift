public import LarderDomain

/// Gives a recipe a photo in the place of the one that it had.
public struct PutPhoto: Sendable {
    /// Which recipe, which picture.
    public struct Request: Sendable {
        /// The recipe.
        public let recipe: EntityID<Recipe>
        /// The encoded picture; its first bytes say what it is.
        public let bytes: [UInt8]
        /// See ``Photo/digest``.
        public let digest: String

        /// Asks for a photo.
        public init(recipe: EntityID<Recipe>, bytes: [UInt8], digest: String) {
            self.recipe = recipe
            self.bytes = bytes
            self.digest = digest
        }
    }

    private let storage: CookbookStorage
    private let ids: any IDGenerator

    /// Makes the use case.
    public init(storage: CookbookStorage, ids: any IDGenerator) {
        self.storage = storage
        self.ids = ids
    }

    /// Stores the photo and deletes the one before in one transaction; the same bytes again write nothing.
    ///
    /// - Returns: The photo, under a new id unless it was there.
    /// - Throws: `InvalidField` naming `bytes`, `mediaType` or `digest`; `notFound` when there is no such recipe for the
    ///   caller; `forbidden` when the recipe is not the caller's to change.
    @discardableResult
    public func execute(_ request: Request) async throws -> Photo {
        guard let mediaType = MediaType(firstBytesOf: request.bytes) else {
            let kinds = MediaType.allCases.map(\.rawValue).joined(separator: ", ")
            throw InvalidField(Photo.self, "mediaType", "must be one of \(kinds)")
        }
        let photo = try Photo(id: ids.next(), mediaType: mediaType, digest: request.digest, bytes: request.bytes)
        return try await storage.transaction { repositories in
            let recipe = try await repositories.recipes.require(request.recipe)
            if let id = recipe.photo, let old = try await repositories.photos.read(id), old.bytes == photo.bytes {
                // Writes nothing, yet is judged: a photo is not for everybody to put.
                try await repositories.recipes.update(recipe.entity, expecting: recipe.version)
                return old.entity
            }
            try await repositories.photos.create(photo)
            try await repositories.recipes.update(recipe.entity.showing(photo.id), expecting: recipe.version)
            return photo
        }
    }
}
