internal import LarderDomain

/// Deletes all brands of a language.
public struct ClearBrands: Sendable {
    /// Which language.
    public struct Request: Sendable {
        /// The language.
        public let language: LanguageTag

        /// Asks for a language without brands.
        public init(language: LanguageTag) {
            self.language = language
        }
    }

    private let storage: CookbookStorage

    /// Makes the use case.
    public init(storage: CookbookStorage) {
        self.storage = storage
    }

    /// Deletes the brands with their photos in one transaction, and says how many they were; ingredients lose them.
    ///
    /// A brand that comes meanwhile may stay. Costs a search for referring recipes for each brand.
    ///
    /// - Throws: `forbidden` for anybody but an admin, when there is a brand to delete.
    @discardableResult
    public func execute(_ request: Request) async throws -> Int {
        try await storage.transaction { repositories in
            let brands = try await repositories.brands.inLanguage(request.language)
            for brand in brands { try await repositories.brands.delete(brand.id, expecting: brand.version) }
            return brands.count
        }
    }
}
