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

enum TagResource: Resource {
    static let name = "tags"
    static let members = [.id, ResourceMember("name", .text(100), .required), .createdAt]
    static let fingerprint = SchemaFingerprint(
        TagMapper.mapping.schema, members: members, evolution: CookbookMappers.evolution)
    static let isPrivate = false

    static func repository(in cookbook: OpenCookbook) -> any EntityRepository<Tag> { cookbook.tags.erased }

    static func filter(from parameters: inout QueryParameters) throws -> Query<Tag> {
        var query = Query<Tag>(sort: [Sort(\.name.folded)])
        if let text = try parameters.text("name", atMost: 200)?.folded {
            query = query.and(#Predicate { $0.name.folded.contains(text) })
        }
        return query
    }

    static func represent(_ items: [Stored<Tag>], in cookbook: OpenCookbook) -> [Representation] {
        items.map { tag in
            Representation(
                json: .object([
                    .init("id", .string(tag.id.description)), .init("name", .string(tag.name)), .createdAt(tag.id),
                ]))
        }
    }

    static func entity(
        from fields: inout JSONFields, replacing old: Tag?, in cookbook: OpenCookbook
    ) throws(InvalidFields) -> Tag {
        try fields.make(fields.requiredString("name")) { name throws(InvalidField) in
            guard let old else { return try Tag(id: cookbook.ids.next(), name: name) }
            return try old.renamed(name)
        }
    }
}
