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

enum CookbookResource: Resource {
    static let name = "cookbooks"
    static let members: [ResourceMember] = [
        .id, .init("owner", .id, .defaulted, "A user; default: the caller, or the present owner."),
        .init("name", .text(200), .required),
        .init(
            "favourites", .list(of: .id, atMost: 10_000, isSet: true), .defaulted,
            "The user's favourite recipes, in order, without duplicates."),
        .init(
            "history", .list(of: .id, atMost: 10_000), .defaulted,
            "The cooked recipes, latest last, one entry per time."),
        .createdAt,
    ]
    static let fingerprint = SchemaFingerprint(
        CookbookMapper.mapping.schema, members: members, evolution: CookbookMappers.evolution)
    static let isPrivate = true

    static func repository(in cookbook: OpenCookbook) -> any EntityRepository<Cookbook> { cookbook.cookbooks.erased }

    static func filter(from parameters: inout QueryParameters) throws -> Query<Cookbook> {
        let owner = try parameters.parsed("owner", "a user's id", EntityID<User>.init)
        guard let owner else { return Query() }
        return Query(#Predicate { $0.owner == owner })
    }

    static func represent(_ items: [Stored<Cookbook>], in cookbook: OpenCookbook) -> [Representation] {
        items.map { item in
            Representation(
                json: .object([
                    .init("id", .string(item.id.description)),
                    .init("owner", .string(item.owner.description)),
                    .init("name", .string(item.name)),
                    .init("favourites", .array(item.favourites.map { .string($0.description) })),
                    .init("history", .array(item.history.map { .string($0.description) })),
                    .createdAt(item.id),
                ]))
        }
    }

    static func entity(
        from fields: inout JSONFields, replacing old: Cookbook?, in cookbook: OpenCookbook
    ) throws(InvalidFields) -> Cookbook {
        let name = fields.requiredString("name")
        let owner = fields.id("owner", of: User.self) ?? old?.owner ?? cookbook.user?.id
        if owner == nil { fields.note("owner", "is required") }
        let favourites = fields.ids("favourites", of: Recipe.self) ?? []
        let history = fields.ids("history", of: Recipe.self) ?? []
        return try fields.make(name, owner) { name, owner throws(InvalidField) in
            try Cookbook(
                id: old?.id ?? cookbook.ids.next(), owner: owner, name: name, favourites: favourites, history: history)
        }
    }
}
