public import CookbookDomain
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The brands of a manager.
public struct StoredBrands: BrandRepository {
    /// The manager that stores the brands.
    public let manager: any PersistencyManager

    /// Makes the repository of a manager.
    public init(manager: any PersistencyManager) {
        self.manager = manager
    }

    public func inLanguage(_ language: LanguageTag) async throws(PersistencyError) -> [Stored<Brand>] {
        let text = language.rawValue
        return try await read(Query(#Predicate { $0.languageText == text }, sort: [Sort(\.name.folded)])).items
    }
}
