internal import CookbookData
internal import CookbookDomain
internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Brands over HTTP, without their pictures.
enum BrandResource: Resource {
    static let name = "brands"
    static let members: [ResourceMember] = [
        .id, .init("name", .text(100), .required), .init("language", .named("Language"), .required),
        .init(
            "keywords", .list(of: .named("Keyword"), atMost: 100, isSet: true), .defaulted,
            "Keywords, each in one line, without duplicates."),
        .createdAt,
    ]
    static let fingerprint = SchemaFingerprint(
        BrandMapper.mapping.schema, members: members, evolution: CookbookMappers.evolution)
    static let isPrivate = false

    private static let languageForm = "must be a language tag, such as it or pt-BR"

    static func repository(in cookbook: OpenCookbook) -> any EntityRepository<Brand> { cookbook.brands.erased }

    static func filter(from parameters: inout QueryParameters) throws -> Query<Brand> {
        var query = Query<Brand>(sort: [Sort(\.name.folded)])
        let language = try parameters.parsed("language", "a language tag") { LanguageTag(rawValue: $0)?.rawValue }
        if let language { query = query.and(#Predicate { $0.languageText == language }) }
        if let text = try parameters.text("name", atMost: 200)?.folded {
            query = query.and(#Predicate { $0.name.folded.contains(text) })
        }
        return query
    }

    static func represent(_ items: [Stored<Brand>], in cookbook: OpenCookbook) -> [Representation] {
        items.map { brand in
            Representation(
                json: .object([
                    .init("id", .string(brand.id.description)),
                    .init("name", .string(brand.name)),
                    .init("language", .string(brand.language.rawValue)),
                    .init("keywords", .array(brand.keywords.map(JSON.string))),
                    .createdAt(brand.id),
                ]))
        }
    }

    static func entity(
        from fields: inout JSONFields, replacing old: Brand?, in cookbook: OpenCookbook
    ) throws(InvalidFields) -> Brand {
        let name = fields.requiredString("name")
        let language = fields.requiredParsed("language", languageForm) { LanguageTag(rawValue: $0) }
        let keywords = fields.strings("keywords") ?? []
        return try fields.make(name, language) { name, language throws(InvalidField) in
            try Brand(
                id: old?.id ?? cookbook.ids.next(), name: name, keywords: keywords, photo: old?.photo,
                language: language)
        }
    }
}
