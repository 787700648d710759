public import LarderDomain

/// Stores brands.
public protocol BrandRepository: EntityRepository where Model == Brand {
    /// The brands of a language, by name.
    func inLanguage(_ language: LanguageTag) async throws(PersistencyError) -> [Stored<Brand>]
}
