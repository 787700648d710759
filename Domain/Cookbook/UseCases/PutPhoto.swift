public import LarderDomain

/// Sets or replaces the photo of a recipe.
public struct PutPhoto: Sendable {
    /// The request.
    public struct Request: Sendable {
        /// The recipe.
        public let recipe: EntityID<Recipe>
        /// The encoded image; its first bytes determine its type.
        public let bytes: [UInt8]
        /// See ``Photo/digest``.
        public let digest: String

        /// Makes a request to set a photo.
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

    /// Stores the photo and deletes the preceding one in one transaction; writes nothing for equal bytes.
    ///
    /// - Returns: The photo, with a new id unless it existed.
    /// - Throws: `InvalidField` naming `bytes`, `mediaType`, or `digest`; `notFound` if the caller sees no such recipe;
    ///   `forbidden` if the caller may not change it.
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
                // Writes nothing, but checks the permission to change the recipe.
                try await repositories.recipes.update(recipe.entity, expecting: recipe.version)
                return old.entity
            }
            try await repositories.photos.create(photo)
            try await repositories.recipes.update(recipe.entity.showing(photo.id), expecting: recipe.version)
            return photo
        }
    }
}
