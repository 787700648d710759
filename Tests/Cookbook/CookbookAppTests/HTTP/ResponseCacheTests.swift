import CookbookDomain
import HTTPTypes
import LarderApp
import LarderHTTP
import LarderTesting
import Testing

@testable import CookbookApp

@Suite("Anonymous responses are cached until the next commit")
struct ResponseCacheTests {
    private let http: CookbookHarness
    private let ada: String
    private let tag: HTTPReply
    private let path: String

    init() async throws {
        http = try await CookbookHarness()
        ada = try await http.user("ada@example.org", .admin)
        tag = try await http.send(.post, "/v1/tags", token: ada, body: #"{"name":"Soup"}"#)
        path = tag.headers[.location] ?? ""
    }

    private func rename(_ name: String, from tag: String = "*") async throws -> HTTPReply {
        try await http.send(.put, path, token: ada, headers: [.ifMatch: tag], body: #"{"name":"\#(name)"}"#)
    }

    @Test(arguments: ["", "?limit=5"])
    func `a repeated request gets the same response without a read`(query: String) async throws {
        let target = query.isEmpty ? path : "/v1/tags\(query)"
        let first = try await http.send(.get, target)
        let reads = http.store.reads
        for _ in 1...3 {
            let again = try await http.send(.get, target, headers: [.xRequestID: "mine"])
            #expect(again.bytes == first.bytes && again.tag == first.tag && again.status == .ok)
            #expect(again.headers[.xRequestID] == "mine")
        }
        #expect(http.store.reads == reads)
    }

    @Test func `a change invalidates the response for every caller`() async throws {
        for name in ["Broth", "Stew", "Soup"] {
            _ = try await http.send(.get, path)
            _ = try await http.send(.get, "/v1/tags")
            #expect(try await rename(name).status == .ok)
            #expect(try await http.send(.get, path).string("name") == name)
            #expect(try await http.send(.get, "/v1/tags").text.contains(name))
        }
    }

    @Test func `no response is cached while a commit runs`() async throws {
        let gate = http.store.gate
        await gate.close()
        async let change = rename("Broth")
        await gate.arrival()
        let reads = http.store.reads
        for _ in 1...3 { #expect(try await http.send(.get, "/v1/tags").text.contains("Soup")) }
        #expect(http.store.reads == reads + 3)
        await gate.open()
        #expect(try await change.status == .ok)
        #expect(try await http.send(.get, "/v1/tags").text.contains("Broth"))
    }

    @Test func `a response to a caller with a token is not sent to others`() async throws {
        let mine = try await http.send(.post, "/v1/cookbooks", token: ada, body: #"{"name":"Mine"}"#)
        let target = mine.headers[.location] ?? ""
        for _ in 1...2 {
            #expect(try await http.send(.get, target, token: ada).status == .ok)
            #expect(try await http.send(.get, target).status == .unauthorized)
        }
        let bob = try await http.user("bob@example.org", .cook)
        #expect(try await http.send(.get, target, token: bob).status == .notFound)
        // An invalid token is refused even if the response is cached.
        _ = try await http.send(.get, path)
        #expect(try await http.send(.get, path, token: "nobody's").status == .unauthorized)
    }

    @Test func `preconditions apply to cached responses, including HEAD`() async throws {
        let first = try await http.send(.get, path)
        _ = try await http.send(.get, path)
        #expect(try await http.send(.get, path, headers: [.ifNoneMatch: first.tag]).status == .notModified)
        let head = try await http.send(.head, path)
        #expect(head.status == .ok && head.bytes.isEmpty && head.tag == first.tag)
    }

    @Test(arguments: [false, true])
    func `a response of 304 needs no read, also if the body is too large for the cache`(isLarge: Bool) async throws {
        let body = isLarge ? Self.largeRecipe : #"{"name":"Stew"}"#
        let made = try await http.send(.post, "/v1/recipes", token: ada, body: body)
        let target = made.headers[.location] ?? ""
        let tags = [made.tag, "*", "\"other\", W/\(made.tag)"]
        _ = try await http.send(.get, target, headers: [.ifNoneMatch: "*"])
        for isKnown in [false, true] {
            if isKnown { _ = try await http.send(.get, target) }
            let reads = http.store.reads
            for tag in tags {
                let reply = try await http.send(.get, target, headers: [.ifNoneMatch: tag])
                #expect(reply.status == .notModified && reply.bytes.isEmpty && reply.tag == made.tag)
                #expect(reply.headers[.vary] == "Authorization" && reply.headers[.cacheControl] == "private, no-cache")
            }
            #expect(http.store.reads == reads)
        }
        let other = try await http.send(.get, target, headers: [.ifNoneMatch: "\"other\""])
        #expect(other.status == .ok && other.tag == made.tag)
        #expect(try await http.send(.get, target).bytes == other.bytes)
        _ = try await http.send(.post, target + "/rate", token: ada, body: #"{"rating":5}"#)
        #expect(try await http.send(.get, target, headers: [.ifNoneMatch: made.tag]).status == .ok)
    }

    /// A recipe whose text is larger than 1/64 of the cache.
    private static var largeRecipe: String {
        let step = #"{"text":"\#(String(repeating: "a", count: 10_000))"}"#
        return #"{"name":"Stew","steps":[\#(Array(repeating: step, count: 30).joined(separator: ","))]}"#
    }

    @Test func `a cached response counts for its route`() async throws {
        for _ in 1...3 { _ = try await http.send(.get, path) }
        let metrics = try await http.send(.get, "/metrics", token: ada)
        let labels = #"http_request_method="GET",http_response_status_code="200",http_route="/v1/tags/{id}""#
        #expect(metrics.text.contains("http_server_request_duration_seconds_count{\(labels)} 3"))
    }
}
