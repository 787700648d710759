import CookbookDomain
import HTTPTypes
import LarderApp
import LarderTesting
import Testing
import Yams

@testable import CookbookApp

/// Sends values at and beyond the bounds in the OpenAPI document to the routes.
@Suite struct OpenAPIBoundsTests {
    struct Collection: CustomStringConvertible, Sendable {
        let path: String
        let schema: String
        /// The required members of a new entity; `#` is a different number each time.
        let least: [(String, String)]

        var description: String { path }
    }

    static let collections: [Collection] = [
        Collection(path: "recipes", schema: "RecipeContent", least: [("name", "Stew #")]),
        Collection(path: "tags", schema: "TagContent", least: [("name", "Tag #")]),
        Collection(path: "brands", schema: "BrandContent", least: [("name", "Brand #"), ("language", "it")]),
        Collection(path: "cookbooks", schema: "CookbookContent", least: [("name", "Weekdays")]),
        Collection(path: "sessions", schema: "SessionContent", least: []),
        Collection(
            path: "users", schema: "UserContent",
            least: [("email", "a#@example.org"), ("firstName", "Ada"), ("lastName", "Lovelace")]),
    ]

    @Test(arguments: collections)
    func `values within the documented bounds are accepted, and others are refused`(
        _ collection: Collection
    ) async throws {
        let description = try APIDescription()
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        var count = 0

        func status(_ member: String, _ value: JSON) async throws -> (code: Int, body: String) {
            count += 1
            var members = collection.least.filter { $0.0 != member }.map { name, text in
                JSON.Member(name, .string(text.replacing("#", with: String(count))))
            }
            members.append(.init(member, value))
            let body = String(decoding: JSON.object(members).bytes(), as: UTF8.self)
            let reply = try await http.send(.post, "/v1/\(collection.path)", token: token, body: body)
            return (reply.status.code, reply.text)
        }

        for (name, schema) in description.members(of: collection.schema) {
            let schema = description.resolved(schema)
            for (value, isTaken) in Self.values(schema, isAddress: name == "email") {
                let (code, body) = try await status(name, value)
                #expect(code == (isTaken ? 201 : 422), "\(name): \(body)")
                if !isTaken { #expect(body.contains("\"/\(name)"), "\(name): \(body)") }
            }
            // The JSON parser refuses this text for every member.
            if schema["maxLength"] != nil { #expect(try await status(name, .string("a\u{0}")).code == 400, "\(name)") }
        }
        #expect(count > 2)
    }

    /// Values at the bounds of a schema, and beyond them.
    private static func values(_ schema: Node, isAddress: Bool) -> [(value: JSON, isTaken: Bool)] {
        let parts = [schema] + (schema["oneOf"]?.sequence.map(Array.init) ?? [])
        let types = parts.flatMap { part in
            part["type"]?.sequence?.compactMap(\.string) ?? [part["type"]?.string].compactMap(\.self)
        }
        var values: [(value: JSON, isTaken: Bool)] = [(.null, types.contains("null"))]
        if let longest = schema["maxLength"]?.int {
            let rest = isAddress ? "@example.org" : ""
            func text(_ length: Int) -> JSON { .string(String(repeating: "x", count: length - rest.count) + rest) }
            values += [(text(longest), true), (text(longest + 1), false), (.string(""), false), (.integer(1), false)]
            values.append((.string(" \u{2003}\n"), false))
        }
        if let least = schema["minimum"]?.int, let most = schema["maximum"]?.int {
            values += [(.integer(Int64(least)), true), (.integer(Int64(most)), true)]
            values += [(.integer(Int64(least) - 1), false), (.integer(Int64(most) + 1), false)]
            values += [(.number(1.5), false), (.string("1"), false)]
        }
        if types.contains("boolean") { values += [(.bool(true), true), (.string("true"), false)] }
        if types.contains("array") { values += [(.array([]), true), (.array([.bool(true)]), false)] }
        return values
    }
}
