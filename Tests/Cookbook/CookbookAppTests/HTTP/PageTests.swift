import HTTPTypes
import LarderHTTP
import LarderTesting
import Testing

@testable import CookbookApp

@Suite struct PageTests {
    private static let pages = ["/", "/docs"]
    private static let scripts =
        (try? CookbookAPI.madePages.get().assets.keys)?.filter { $0.hasSuffix(".js") }.sorted() ?? []

    @Test(arguments: pages)
    func `a page has a strict policy, and is 304 when unchanged`(_ path: String) async throws {
        let http = try await CookbookHarness()
        let page = try await http.send(.get, path)
        #expect(page.status == .ok)
        #expect(page.headers[.contentType] == "text/html; charset=utf-8")
        #expect(page.headers[.contentSecurityPolicy] == ServicePages.policy)
        #expect(page.headers[.xContentTypeOptions] == "nosniff")
        let again = try await http.send(.get, path, headers: [.ifNoneMatch: page.tag])
        #expect(again.status == .notModified)
        #expect(again.bytes.isEmpty)
        #expect(again.tag == page.tag)
        let head = try await http.send(.head, path)
        #expect(head.status == .ok && head.bytes.isEmpty && head.tag == page.tag)
    }

    @Test(arguments: pages)
    func `a page has no inline code or style, which its policy would block`(_ path: String) async throws {
        let text = try await CookbookHarness().send(.get, path).text
        #expect(text.matches(of: #/<script(?![^>]* src=)/#).isEmpty)
        #expect(text.matches(of: #/<style|\sstyle=|\son\w+=|javascript:/#).isEmpty)
        #expect(text.matches(of: #/(?:src|href)="(?:https?:)?\/\//#).isEmpty)
        #expect(text.contains("<html lang=\"en\">"))
    }

    @Test(arguments: pages + scripts.map { "/assets/\($0)" })
    func `every resource that a page or script loads exists`(_ path: String) async throws {
        let http = try await CookbookHarness()
        let text = try await http.send(.get, path).text
        let linked = text.matches(of: #/(?:src|href)="(\/assets\/[^"]+)"/#).map { String($0.output.1) }
        let imported = text.matches(of: #/from "\.\/([^"]+)"/#).map { "/assets/" + $0.output.1 }
        for file in linked + imported {
            #expect(try await http.send(.get, file).status == .ok, "\(file)")
        }
        #expect(!Self.pages.contains(path) || linked.count >= 4)
    }

    @Test func `the pages have scripts`() {
        #expect(Self.scripts.count == 9)
    }

    @Test(arguments: scripts)
    func `a script creates elements by name and text, never from markup`(_ name: String) async throws {
        let text = try await CookbookHarness().send(.get, "/assets/\(name)").text
        let markup = #/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|localStorage/#
        #expect(text.matches(of: markup).isEmpty)
    }

    @Test func `a file has its media type, and a missing one is a problem`() async throws {
        let http = try await CookbookHarness()
        #expect(try await http.send(.get, "/assets/page.css").headers[.contentType] == "text/css; charset=utf-8")
        #expect(try await http.send(.get, "/assets/dom.js").headers[.contentType] == "text/javascript; charset=utf-8")
        #expect(try await http.send(.get, "/openapi.yaml").headers[.contentType] == "application/yaml")
        #expect(try await http.send(.get, "/openapi.json").headers[.contentType] == "application/json")
        let missing = try await http.send(.get, "/assets/other.js")
        #expect(missing.status == .notFound)
        #expect(missing.headers[.contentType] == "application/problem+json")
    }

    @Test func `each problem type resolves to its description`() async throws {
        let text = try await CookbookHarness().send(.get, "/docs").text
        let explained = text.matches(of: #/id="problem-([a-z-]+)"[^>]*>\s*<h3>([a-z-]+) <span class="status">(\d+)/#)
        let kinds = Problem.Kind.allCases.map { "\($0.rawValue) \($0.rawValue) \($0.status.code)" }
        #expect(Set(explained.map { "\($0.output.1) \($0.output.2) \($0.output.3)" }) == Set(kinds))
    }

    @Test func `an invalid token is ignored by routes that need no token`() async throws {
        let http = try await CookbookHarness()
        let bad = "larder_" + String(repeating: "A", count: 43)
        for path in [
            "/", "/docs", "/openapi.json", "/openapi.yaml", "/assets/page.css", "/health/live", "/health/ready",
        ] {
            #expect(try await http.send(.get, path, token: bad).status == .ok, "\(path)")
        }
        #expect(try await http.send(.get, "/v1/recipes", token: bad).status == .unauthorized)
        #expect(try await http.send(.get, "/metrics", token: bad).status == .unauthorized)
    }

    @Test func `OPTIONS of an asterisk lists the methods of all routes`() async throws {
        let reply = try await CookbookHarness().send(.options, "*")
        #expect(reply.status == .noContent)
        #expect(reply.headers[.allow] == "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT")
    }
}
