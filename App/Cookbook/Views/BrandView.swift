internal import CookbookDomain
internal import LarderDomain

/// A brand as programs read it from `--json`.
struct BrandView: Encodable {
    let id: String
    let name: String
    let language: String
    let keywords: [String]
    let createdAt: String?

    init(_ brand: Brand) {
        id = brand.id.description
        name = brand.name
        language = brand.language.rawValue
        keywords = brand.keywords
        createdAt = brand.id.rawValue.creationTime?.description
    }
}
