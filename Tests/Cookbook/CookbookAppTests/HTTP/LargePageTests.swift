import CookbookDomain
import HTTPTypes
import LarderApp
import LarderHTTP
import LarderTesting
import Testing

@testable import CookbookApp

struct LargePageTests {
    private func filled(recipes: Int, steps: Int, characters: Int) async throws -> CookbookHarness {
        let text = String(repeating: "x", count: characters)
        let list = Array(repeating: "\"\(text)\"", count: steps).joined(separator: ",")
        let lines = (0..<recipes).map {
            #"{"@type":"Recipe","identifier":"r\#($0)","name":"Large \#($0)","recipeInstructions":[\#(list)]}"#
        }
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        _ = try await HTTPReply(try await http.upload([Array(lines.joined(separator: "\n").utf8)], token: token))
        return http
    }

    @Test func `a page ends before it is too large, and the next page continues there`() async throws {
        let http = try await filled(recipes: 5, steps: 40, characters: 10_000)
        var names: [[String]] = []
        var place = "limit=200&total=true"
        while true {
            let page = try await http.send(.get, "/v1/recipes?\(place)")
            #expect(page.status == .ok)
            #expect(page.bytes.count <= 1 << 20)
            #expect(page.json["total"] == .integer(5))
            names.append(page.names)
            #expect(
                try await http.send(.get, "/v1/recipes?\(place)", headers: [.ifNoneMatch: page.tag]).status.code == 304)
            guard case .string(let next)? = page.json["next"] else { break }
            let link = try #require(HTTPField.Name("Link"))
            let expected = "</v1/recipes?limit=200&total=true&after=\(next)>; rel=\"next\""
            #expect(page.headers[link]?.hasPrefix(expected) == true)
            place = "limit=200&total=true&after=\(next)"
        }
        #expect(names == [["Large 0", "Large 1"], ["Large 2", "Large 3"], ["Large 4"]])
    }

    @Test func `a page has at least one item`() async throws {
        let http = try await filled(recipes: 2, steps: 1_000, characters: 1_000)
        let page = try await http.send(.get, "/v1/recipes")
        #expect(page.names == ["Large 0"])
        #expect(page.bytes.count > 1 << 20)
    }

    @Test func `a large imported recipe can be read, and sent back`() async throws {
        let http = try await filled(recipes: 1, steps: 1_000, characters: 1_000)
        let ada = try await http.user("eve@example.org", .admin)
        guard case .array(let items)? = try await http.send(.get, "/v1/recipes").json["items"],
            case .string(let id)? = items.first?["id"]
        else {
            Issue.record("there is no recipe")
            return
        }
        let shown = try await http.send(.get, "/v1/recipes/\(id)")
        #expect(shown.bytes.count > 1 << 20)
        let sent = try await http.send(
            .put, "/v1/recipes/\(id)", token: ada, headers: [.ifMatch: shown.tag], type: "application/json",
            bytes: shown.bytes)
        #expect(sent.status == .ok)
        #expect(sent.bytes == shown.bytes && sent.tag == shown.tag)
        let tooLarge = Array(repeating: UInt8(ascii: " "), count: 300_000)
        let tag = try await http.send(.post, "/v1/tags", token: ada, type: "application/json", bytes: tooLarge)
        #expect(tag.status == .contentTooLarge)
    }
}

extension HTTPReply {
    fileprivate var names: [String] {
        guard case .array(let items)? = json["items"] else { return [] }
        return items.map { if case .string(let name)? = $0["name"] { name } else { "" } }
    }
}
