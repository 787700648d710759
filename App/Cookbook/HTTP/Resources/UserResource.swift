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

enum UserResource: Resource {
    static let name = "users"
    static let members: [ResourceMember] = [
        .id, .init("email", .named("Email"), .required), .init("firstName", .text(100), .required),
        .init("lastName", .text(100), .required),
        .init(
            "role", .named("Role"), .defaulted, "Default: reader for a new user, the present role for an existing user."
        ),
        .createdAt,
    ]
    static let fingerprint = SchemaFingerprint(
        UserMapper.mapping.schema, members: members, evolution: CookbookMappers.evolution)
    static let isPrivate = true

    private static let roleForm = "must be one of \(Role.allCases.map(\.rawValue).joined(separator: ", "))"

    static func repository(in cookbook: OpenCookbook) -> any EntityRepository<User> { cookbook.users.erased }

    static func filter(from parameters: inout QueryParameters) throws -> Query<User> {
        var query = Query<User>(sort: [Sort(\.foldedEmail)])
        if let email = try parameters.text("email", atMost: 254)?.lowercased() {
            query = query.and(#Predicate { $0.foldedEmail == email })
        }
        return query
    }

    static func represent(_ items: [Stored<User>], in cookbook: OpenCookbook) -> [Representation] {
        items.map { user in
            Representation(
                json: .object([
                    .init("id", .string(user.id.description)),
                    .init("email", .string(user.email)),
                    .init("firstName", .string(user.firstName)),
                    .init("lastName", .string(user.lastName)),
                    .init("role", .string(user.role.rawValue)),
                    .createdAt(user.id),
                ]))
        }
    }

    static func entity(
        from fields: inout JSONFields, replacing old: User?, in cookbook: OpenCookbook
    ) throws(InvalidFields) -> User {
        let email = fields.requiredString("email")
        let firstName = fields.requiredString("firstName")
        let lastName = fields.requiredString("lastName")
        let role = fields.parsed("role", roleForm, Role.init(rawValue:)) ?? old?.role ?? .reader
        return try fields.make(email, firstName, lastName) { email, firstName, lastName throws(InvalidField) in
            try User(
                id: old?.id ?? cookbook.ids.next(), email: email, firstName: firstName, lastName: lastName, role: role)
        }
    }
}
