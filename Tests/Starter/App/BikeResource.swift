import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LoansData
import LoansDomain

/// Bikes over HTTP. No verb sets the borrower: only the use case lends a bike.
enum BikeResource: Resource {
    static let name = "bikes"
    static let verbs: Set<ResourceVerb> = [.list, .create, .read, .delete]
    static let members: [ResourceMember] = [
        .id,
        .init("name", .text(200), .required),
        .init("borrower", .id, .optionalReadOnly, "The user who has borrowed it."),
    ]
    static let fingerprint = SchemaFingerprint(
        BikeMapper.mapping.schema, members: members, evolution: Entities.evolution)
    static let isPrivate = false

    static func repository(in scope: Scope) -> any EntityRepository<Bike> { Bikes(scope.manager) }

    static func filter(from parameters: inout QueryParameters) throws -> Query<Bike> { Query(sort: [Sort(\.name)]) }

    static func represent(_ items: [Stored<Bike>], in scope: Scope) -> [Representation] {
        items.map { bike in
            Representation(
                json: .object([
                    .init("id", .string(bike.id.description)),
                    .init("name", .string(bike.name)),
                    .init("borrower", bike.borrower.map { .string($0.description) } ?? .null),
                ]))
        }
    }

    static func entity(
        from fields: inout JSONFields, replacing old: Bike?, in scope: Scope
    ) throws(InvalidFields) -> Bike {
        let name = fields.requiredString("name")
        return try fields.make(name) { name throws(InvalidField) in
            try Bike(id: old?.id ?? scope.ids.next(), name: name, borrower: old?.borrower)
        }
    }
}
