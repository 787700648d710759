import CookbookDomain
import HTTPTypes
import LarderApp
import LarderHTTP
import LarderTesting
import Testing

@testable import CookbookApp

struct LinesRouteTests {
    private func filled() async throws -> CookbookHarness {
        let lines = (0..<60).map { number in
            #"{"@type":"Recipe","identifier":"r\#(number)","name":"Crêpe \#(number / 10)\#(number % 10)","#
                + #""prepTime":"PT\#(number)M","recipeIngredient":["Egg","Milk"],"recipeInstructions":["Fry"]}"#
        }
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        _ = try await HTTPReply(try await http.upload([Array(lines.joined(separator: "\n").utf8)], token: token))
        return http
    }

    /// The members that lines and whole recipes have in common.
    private func common(_ reply: HTTPReply) -> [[JSON?]] {
        guard case .array(let items)? = reply.json["items"] else { return [] }
        let names = ["id", "name", "totalMinutes", "rating", "photo", "sourceIdentifier"]
        return items.map { item in names.map { item[$0] } }
    }

    @Test(arguments: ["", "name=0", "under=20&sort=time", "search=egg+cr*", "sort=rating&limit=7&total=true", "tag=x"])
    func `it has the recipes of the list, in the same pages`(query: String) async throws {
        let http = try await filled()
        var place = query
        while true {
            let whole = try await http.send(.get, "/v1/recipes?\(place)")
            let lines = try await http.send(.get, "/v1/recipes/lines?\(place)")
            #expect(lines.status == whole.status)
            guard whole.status == .ok else { return }
            #expect(common(lines) == common(whole))
            #expect(lines.json["total"] == whole.json["total"])
            guard case .string(let next)? = lines.json["next"] else { break }
            let link = try #require(HTTPField.Name("Link"))
            #expect(lines.headers[link]?.contains("</v1/recipes/lines?") == true)
            place = (query.isEmpty ? "" : query + "&") + "after=\(next)"
        }
    }

    @Test(arguments: ["recipes", "recipes/lines"], ["limit=7", "limit=7&sort=rating", "limit=7&under=40&sort=time"])
    func `the links to previous pages lead back to the first one`(list: String, query: String) async throws {
        let http = try await filled()
        var forward: [JSON] = []
        var path = "/v1/\(list)?\(query)"
        while true {
            let page = try await http.send(.get, path)
            forward.append(try #require(page.json["items"]))
            guard let next = page.link("next") else { break }
            path = next
        }
        try #require(forward.count > 5)
        var back: [JSON] = []
        while let previous = try await http.send(.get, path).link("prev") {
            path = previous
            back.append(try #require(try await http.send(.get, path).json["items"]))
        }
        #expect(back == forward.dropLast().reversed())
    }

    @Test func `a request has the start of a page or its end, not both`() async throws {
        let http = try await filled()
        let next = try #require(try await http.send(.get, "/v1/recipes/lines?limit=7").link("next"))
        let page = try await http.send(.get, next)
        guard case .string(let previous)? = page.json["previous"] else { throw MissingLine() }
        let reply = try await http.send(.get, "\(next)&before=\(previous)")
        #expect(reply.status == .badRequest && reply.text.contains("'after' and 'before' exclude each other"))
    }

    @Test func `a line has the numbers of ingredients and steps`() async throws {
        let page = try await filled().send(.get, "/v1/recipes/lines?limit=1")
        guard case .array(let items)? = page.json["items"], let line = items.first else { throw MissingLine() }
        #expect(line["ingredients"] == .integer(2) && line["steps"] == .integer(1))
    }

    @Test func `it is not sent again until a line changes`() async throws {
        let http = try await filled()
        let page = try await http.send(.get, "/v1/recipes/lines")
        let again = try await http.send(.get, "/v1/recipes/lines", headers: [.ifNoneMatch: page.tag])
        #expect(again.status == .notModified && again.bytes.isEmpty)
        let token = try await http.user("eve@example.org", .admin)
        _ = try await http.send(.post, "/v1/recipes", token: token, body: #"{"name":"Aspic"}"#)
        let changed = try await http.send(.get, "/v1/recipes/lines", headers: [.ifNoneMatch: page.tag])
        #expect(changed.status == .ok && changed.tag != page.tag)
        let head = try await http.send(.head, "/v1/recipes/lines")
        #expect(head.status == .ok && head.bytes.isEmpty && head.tag == changed.tag)
    }

    private struct MissingLine: Error {}
}

extension HTTPReply {
    /// The address in the field `Link` with a relation.
    fileprivate func link(_ relation: String) -> String? {
        guard let name = HTTPField.Name("Link"), let field = headers[name] else { return nil }
        return field.split(separator: ", ").first { $0.hasSuffix("rel=\"\(relation)\"") }
            .map { String($0.dropFirst().prefix { $0 != ">" }) }
    }
}
