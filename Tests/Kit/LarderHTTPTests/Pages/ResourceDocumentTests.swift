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
        #expect(names(shown) == ["id", "reader", "note", "days", "copies"])
        #expect(names(sent) == ["note", "days"])
        #expect(shown?["note"]?["$ref"] == .string("#/components/schemas/OptionalText"))
        #expect(shown?["days"]?["type"] == .string("integer"))
        #expect(sent?["days"]?["type"] == .array([.string("integer"), .string("null")]))
        #expect(sent?["days"]?["maximum"] == .integer(30) && sent?["days"]?["description"] == .string("How long."))
        #expect(shown?["reader"]?["readOnly"] == .bool(true))
        #expect(names(schemas?["Copy"]?["properties"]) == ["id"])
        #expect(LoanResource.members.flatMap(\.names) == ["id", "reader", "note", "days", "copies", "copies.id"])
    }

    private func names(_ json: JSON?) -> [String] {
        guard case .object(let members)? = json else { return [] }
        return members.map(\.name)
    }
}
