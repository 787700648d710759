import LarderApp
import LarderHTTP
import Testing

@Suite struct APIDocumentTests {
    private static let identity = ServiceIdentity(
        name: "my-loans", title: #"Loans & "Books""#, operatorRole: "a librarian")

    private static func document(_ own: String, tokenOwners: String? = "readers") throws -> APIDocument {
        try APIDocument(
            identity, own: [Array(own.utf8)], tokenOwners: tokenOwners,
            assets: ["page.css", "loans.js"])
    }

    private static func text(_ document: APIDocument) -> String {
        String(decoding: document.json.bytes(), as: UTF8.self)
    }

    @Test func `the kit's part has the names of the service`() throws {
        let document = try Self.document("{}")
        #expect(document.json["info"]?["title"] == .string(Self.identity.title))
        let paths = document.json["paths"]
        #expect(paths?["/v1/readers/{id}/tokens"] != nil && paths?["/v1/changes"] != nil)
        let text = Self.text(document)
        for part in ["Requires a librarian.", #"^my_loans_[A-Za-z0-9_-]{43}$"#, #"["loans.js","page.css"]"#] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("{{") && !text.lowercased().contains("larder") && !text.contains("statuses"))
    }

    @Test func `routes that a service does not have are not described`() throws {
        let document = try APIDocument(
            Self.identity, followsChanges: false)
        #expect(!Self.text(document).contains("/v1/changes"))
        #expect(document.json["components"]?["schemas"]?["Token"] == nil)
    }

    @Test func `the service's part is laid over the kit's, and its shorthand is written out`() throws {
        let own = #"""
            {"info": {"version": "7"}, "tags": [{"name": "loans"}], "paths": {"/v1/loans": {"parameters": ["RequestID"],
            "get": {"responses": {"200": {"headers": ["ETag"], "content": {"application/json": {"schema": "Loan"}}}},
            "statuses": [404]}}}, "components": {"schemas": {"Loan": {"type": "object", "properties": {
            "items": {"type": "array", "items": "ID"}, "name": {"$ref": "Text", "maxLength": 9}}}}}}
            """#
        let json = try Self.document(own).json
        #expect(json["info"]?["version"] == .string("7"))
        #expect(json["tags"]?.texts("name").first == "loans")
        let path = json["paths"]?["/v1/loans"]
        #expect(path?["parameters"]?.texts("$ref") == ["#/components/parameters/RequestID"])
        let responses = path?["get"]?["responses"]
        #expect(responses?["404"]?["$ref"] == .string("#/components/responses/NotFound"))
        #expect(responses?["default"]?["$ref"] == .string("#/components/responses/Problem"))
        #expect(responses?["200"]?["headers"]?["ETag"]?["$ref"] == .string("#/components/headers/ETag"))
        let loan = json["components"]?["schemas"]?["Loan"]?["properties"]
        #expect(loan?["items"]?["items"]?["$ref"] == .string("#/components/schemas/ID"))
        #expect(loan?["name"]?["$ref"] == .string("#/components/schemas/Text"))
        #expect(loan?["name"]?["maxLength"] == .integer(9))
    }

    @Test func `a part that is not JSON is an error`() {
        #expect(throws: JSONError.self) { try Self.document("{") }
    }
}

extension JSON {
    fileprivate func texts(_ name: String) -> [String] {
        guard case .array(let elements) = self else { return [] }
        return elements.compactMap { element in
            guard case .string(let text)? = element[name] else { return nil }
            return text
        }
    }
}
