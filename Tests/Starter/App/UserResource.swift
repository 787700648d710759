import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LoansData
import LoansDomain

/// Users over HTTP.
enum UserResource: Resource {
    static let name = "users"
    static let members: [ResourceMember] = [
        .id,
        .init("name", .text(100), .required, "Unique."),
        .init("operator", .flag, .defaulted, "Whether the user has all permissions; default: false."),
    ]
    static let fingerprint = SchemaFingerprint(
        UserMapper.mapping.schema, members: members, evolution: Entities.evolution)
    static let isPrivate = true

    static func repository(in scope: Scope) -> any EntityRepository<User> { Users(scope.manager) }

    static func filter(from parameters: inout QueryParameters) throws -> Query<User> { Query(sort: [Sort(\.name)]) }

    static func represent(_ items: [Stored<User>], in scope: Scope) -> [Representation] {
        items.map { user in
            Representation(
                json: .object([
                    .init("id", .string(user.id.description)),
                    .init("name", .string(user.name)),
                    .init("operator", .bool(user.isOperator)),
                ]))
        }
    }

    static func entity(
        from fields: inout JSONFields, replacing old: User?, in scope: Scope
    ) throws(InvalidFields) -> User {
        let name = fields.requiredString("name")
        let isOperator = fields.bool("operator") ?? false
        return try fields.make(name) { name throws(InvalidField) in
            try User(id: old?.id ?? scope.ids.next(), name: name, isOperator: isOperator)
        }
    }
}
