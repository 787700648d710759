import CookbookDomain
import HTTPTypes
import LarderApp
import LarderDomain
import LarderHTTP
import LarderTesting
import Testing

@testable import CookbookApp

/// A POST with an idempotency key is executed once.
struct IdempotencyTests {
    private let http: CookbookHarness
    private let ada: String
    private let bob: String

    init() async throws {
        http = try await CookbookHarness()
        ada = try await http.user("ada@example.org", .admin)
        bob = try await http.user("bob@example.org", .cook)
    }

    private func post(
        _ name: String, to path: String = "/v1/recipes", as token: String, key: String?
    ) async throws -> HTTPReply {
        try await http.send(
            .post, path, token: token, headers: key.map { [.idempotencyKey: $0] } ?? [:],
            body: #"{"name":"\#(name)"}"#)
    }

    private func total(_ path: String = "/v1/recipes") async throws -> JSON? {
        try await http.send(.get, "\(path)?total=true").json["total"]
    }

    @Test func `a repeated request returns the same response, byte for byte, and has no effect`() async throws {
        let first = try await post("Soup", as: bob, key: "a")
        let sequence = http.store.lastSequence
        let second = try await post("Soup", as: bob, key: "a")
        #expect(first.status == .created && second.status == .created)
        #expect(second.bytes == first.bytes)
        #expect(second.headers[.idempotentReplayed] == "true")
        #expect(first.headers[.idempotentReplayed] == nil)
        for name in [HTTPField.Name.location, .eTag, .contentType, .cacheControl] {
            #expect(second.headers[name] == first.headers[name], "\(name)")
        }
        #expect(http.store.lastSequence == sequence)
        #expect(try await total() == .integer(1))
    }

    @Test func `a replayed response is unchanged, although its resource was changed or deleted`() async throws {
        let first = try await post("Soup", as: bob, key: "a")
        let path = first.headers[.location] ?? ""
        #expect(try await http.send(.delete, path, token: bob, headers: [.ifMatch: "*"]).status == .noContent)
        #expect(try await post("Soup", as: bob, key: "a").bytes == first.bytes)
        #expect(try await total() == .integer(0))
    }

    @Test func `a different body under the same key is refused, even if equivalent`() async throws {
        _ = try await post("Soup", as: bob, key: "a")
        let other = try await post("Stew", as: bob, key: "a")
        #expect(other.status == .unprocessableContent)
        #expect(other.string("type") == Problem.Kind.idempotencyKeyReused.type)
        let spaced = try await http.send(
            .post, "/v1/recipes", token: bob, headers: [.idempotencyKey: "a"], body: #"{"name": "Soup"}"#)
        #expect(spaced.status == .unprocessableContent)
        #expect(try await total() == .integer(1))
    }

    @Test func `the same key of another user or route is a different key`() async throws {
        let bobs = try await post("Soup", as: bob, key: "a")
        let adas = try await post("Soup", as: ada, key: "a")
        #expect(adas.status == .created && adas.bytes != bobs.bytes)
        #expect(adas.headers[.idempotentReplayed] == nil)
        let tag = try await post("Soup", to: "/v1/tags", as: bob, key: "a")
        #expect(tag.status == .created && tag.headers[.idempotentReplayed] == nil)
        #expect(try await total() == .integer(2))
    }

    @Test func `a different spelling of a path is the same key`() async throws {
        let first = try await post("Soup", as: bob, key: "a")
        for path in ["/v1/recipes/", "//v1//recipes", "/v1/recipes?"] {
            let again = try await post("Soup", to: path, as: bob, key: "a")
            #expect(again.bytes == first.bytes, "\(path): \(again.text)")
            #expect(again.headers[.idempotentReplayed] == "true", "\(path)")
        }
        #expect(try await total() == .integer(1))
        _ = try await post("Mine", to: "/v1/cookbooks", as: bob, key: nil)
        let id = first.string("id")
        var replies: [HTTPReply] = []
        for path in [id, id.uppercased(), "/\(id)", "\(id)/"] {
            replies.append(
                try await http.send(
                    .post, "/v1/recipes/\(path)/cook", token: bob, headers: [.idempotencyKey: "a"], body: "{}"))
        }
        #expect(replies.map(\.status.code) == [201, 201, 201, 201])
        #expect(Set(replies.map(\.bytes)).count == 1)
        let other = try await post("Stew", as: bob, key: "b").string("id")
        let cooked = try await http.send(
            .post, "/v1/recipes/\(other)/cook", token: bob, headers: [.idempotencyKey: "a"], body: "{}")
        #expect(cooked.status == .created && cooked.headers[.idempotentReplayed] == nil)
    }

    @Test func `a key belongs to the user, whatever the role`() async throws {
        let (cleo, token) = try await http.register("cleo@example.org", .reader)
        let first = try await post("Mine", to: "/v1/cookbooks", as: token, key: "a")
        let promoted = try await http.send(
            .patch, "/v1/users/\(cleo)", token: ada, headers: [.ifMatch: "*"], type: "application/merge-patch+json",
            body: #"{"role":"cook"}"#)
        #expect(first.status == .created && promoted.status == .ok)
        let second = try await post("Mine", to: "/v1/cookbooks", as: token, key: "a")
        #expect(second.bytes == first.bytes)
        #expect(second.headers[.idempotentReplayed] == "true")
    }

    @Test func `a refusal is not stored, and a retry succeeds once its cause is removed`() async throws {
        let tag = try await post("Soup", to: "/v1/tags", as: bob, key: nil)
        #expect(try await post("Soup", to: "/v1/tags", as: bob, key: "a").status == .conflict)
        let path = tag.headers[.location] ?? ""
        #expect(try await http.send(.delete, path, token: ada, headers: [.ifMatch: "*"]).status == .noContent)
        let again = try await post("Soup", to: "/v1/tags", as: bob, key: "a")
        #expect(again.status == .created && again.headers[.idempotentReplayed] == nil)
    }

    @Test func `a change that the store refuses stores no response`() async throws {
        http.store.commitFailure = .unavailable(.init(.full, "no room"))
        let failed = try await post("Soup", as: bob, key: "a")
        #expect(failed.status == .serviceUnavailable)
        #expect(failed.headers[.retryAfter] == "30")
        #expect(try await http.send(.get, "/v1/recipes").status == .ok)
        http.store.commitFailure = nil
        let again = try await post("Soup", as: bob, key: "a")
        #expect(again.status == .created && again.headers[.idempotentReplayed] == nil)
    }

    @Test func `a key expires after a day`() async throws {
        let first = try await post("Soup", as: bob, key: "a")
        http.clock.advance(days: 1)
        let second = try await post("Stew", as: bob, key: "a")
        #expect(second.status == .created && second.bytes != first.bytes)
    }

    @Test func `cooking twice under one key creates one session and one history entry`() async throws {
        let recipe = try await post("Soup", as: bob, key: nil).headers[.location] ?? ""
        let cookbook = try await post("Mine", to: "/v1/cookbooks", as: bob, key: nil).headers[.location] ?? ""
        for _ in 0..<2 {
            let reply = try await http.send(
                .post, "\(recipe)/cook", token: bob, headers: [.idempotencyKey: "dinner"], body: "{}")
            #expect(reply.status == .created)
        }
        guard case .array(let history)? = try await http.send(.get, cookbook, token: bob).json["history"] else {
            Issue.record("there is no history")
            return
        }
        #expect(history.count == 1)
    }
}
