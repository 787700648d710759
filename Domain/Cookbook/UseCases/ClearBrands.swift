internal import LarderDomain

/// Deletes all brands of a language.
public struct ClearBrands: Sendable {
    /// The request: a language.
    public struct Request: Sendable {
        /// The language.
        public let language: LanguageTag

        /// Makes a request to delete the brands of a language.
        public init(language: LanguageTag) {
            self.language = language
        }
    }

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Deletes the brands with their photos in one transaction and returns their number; ingredients lose the
    /// reference.
    ///
    /// A brand created meanwhile may remain. Each brand costs a search for referring recipes.
    ///
    /// - Throws: `forbidden` for a caller other than an admin, if there is a brand to delete.
    @discardableResult
    public func execute(_ request: Request) async throws -> Int {
        try await storage.transaction { repositories in
            let brands = try await repositories.brands.inLanguage(request.language)
            for brand in brands { try await repositories.brands.delete(brand.id, expecting: brand.version) }
            return brands.count
        }
    }
}
