import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import Testing

@Suite struct ResourceDocumentTests {
    private struct Loan: Entity {
        let id: EntityID<Loan>
    }

    /// Only use cases create and return loans.
    private enum LoanResource: Resource {
        static let name = "loans"
        static let verbs: Set<ResourceVerb> = [.list, .read, .patch]
        static let members: [ResourceMember] = [
            .id, .init("reader", .id, .readOnly), .init("note", .text(80), .optional),
            .init("days", .integer(1...30), .defaulted, "How long."),
            .init("place", .object("Place", [.init("city", .text(80), .required)]), .optional),
            .init("copies", .objects("Copy", atMost: 9, [.init("id", .partID, .required)]), .readOnly),
        ]
        static let fingerprint = SchemaFingerprint(EntitySchema(name: "loan", columns: []), members: members)
        static let isPrivate = true

        static func repository(in scope: any EntityRepository<Loan>) -> any EntityRepository<Loan> { scope }
        static func filter(from parameters: inout QueryParameters) -> Query<Loan> { Query() }
        static func represent(
            _ items: [Stored<Loan>], in scope: any EntityRepository<Loan>
        ) -> [Representation] { [] }
        static func entity(
            from fields: inout JSONFields, replacing old: Loan?, in scope: any EntityRepository<Loan>
        ) throws(InvalidFields) -> Loan { try fields.check(old) }
    }

    private let document: JSON

    init() throws {
        document = try APIDocument(
            ServiceIdentity(name: "loans", title: "Loans", operatorRole: "a librarian"),
            resources: [LoanResource.self]
        ).json
    }

    @Test func `a resource has the operations of its verbs, and no others`() {
        #expect(names(document["paths"]?["/v1/loans"]) == ["get"])
        #expect(names(document["paths"]?["/v1/loans/{id}"]) == ["get", "patch"])
    }

    @Test func `reading a private resource needs a token`() {
        let list = document["paths"]?["/v1/loans"]?["get"]
        #expect(list?["security"] == nil && list?["responses"]?["401"] != nil)
    }

    @Test func `a body has the members that clients can set, and a representation has all`() {
        let schemas = document["components"]?["schemas"]
        let (shown, sent) = (schemas?["Loan"]?["properties"], schemas?["LoanContent"]?["properties"])
        #expect(names(shown) == ["id", "reader", "note", "days", "place", "copies"])
        #expect(names(sent) == ["note", "days", "place"])
        #expect(shown?["note"]?["$ref"] == .string("#/components/schemas/OptionalText"))
        #expect(shown?["days"]?["type"] == .string("integer"))
        #expect(sent?["days"]?["type"] == .array([.string("integer"), .string("null")]))
        #expect(sent?["days"]?["maximum"] == .integer(30) && sent?["days"]?["description"] == .string("How long."))
        #expect(shown?["reader"]?["readOnly"] == .bool(true))
        #expect(names(schemas?["Copy"]?["properties"]) == ["id"])
        let members = ["id", "reader", "note", "days", "place", "place.city", "copies", "copies.id"]
        #expect(LoanResource.members.flatMap(\.names) == members)
    }

    @Test func `a value object has a schema in representations, and one in bodies`() {
        let schemas = document["components"]?["schemas"]
        for (kind, place) in [("Loan", "Place"), ("LoanContent", "PlaceContent")] {
            let place = JSON.object([.init("$ref", .string("#/components/schemas/\(place)"))])
            let null = JSON.object([.init("type", .string("null"))])
            #expect(schemas?[kind]?["properties"]?["place"] == .object([.init("oneOf", .array([place, null]))]))
        }
        #expect(names(schemas?["Place"]?["properties"]) == ["city"])
        #expect(names(schemas?["PlaceMembers"]?["properties"]) == ["city"])
        #expect(schemas?["PlaceContent"]?["allOf"] != nil)
    }

    private func names(_ json: JSON?) -> [String] {
        guard case .object(let members)? = json else { return [] }
        return members.map(\.name)
    }
}
