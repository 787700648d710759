import CookbookDomain
import HTTPTypes
import LarderApp
import LarderTesting
import Testing

@testable import CookbookApp

/// The content that entity tags identify.
struct ConditionalRequestTests {
    private let http: CookbookHarness
    private let ada: String

    init() async throws {
        http = try await CookbookHarness()
        ada = try await http.user("ada@example.org", .admin)
    }

    private func make(_ collection: String, _ body: String) async throws -> (path: String, id: String) {
        let reply = try await http.send(.post, "/v1/\(collection)", token: ada, body: body)
        return (reply.headers[.location] ?? "", reply.string("id"))
    }

    private func patch(_ path: String, ifMatch tag: String = "*", _ body: String) async throws -> HTTPReply {
        try await http.send(
            .patch, path, token: ada, headers: [.ifMatch: tag], type: "application/merge-patch+json", body: body)
    }

    @Test func `renaming a tag changes the entity tags of recipes and lists that show it`() async throws {
        let tag = try await make("tags", #"{"name":"Soup"}"#)
        let recipe = try await make("recipes", #"{"name":"Lentils","tags":[{"id":"\#(tag.id)"}]}"#)
        let plain = try await make("recipes", #"{"name":"Bread"}"#)
        let before = try await (list: http.send(.get, "/v1/recipes"), one: http.send(.get, recipe.path))
        let plainTag = try await http.send(.get, plain.path).tag
        #expect(try await patch(tag.path, #"{"name":"Broth"}"#).status == .ok)

        for (path, old) in [("/v1/recipes", before.list), (recipe.path, before.one)] {
            let reply = try await http.send(.get, path, headers: [.ifNoneMatch: old.tag])
            #expect(reply.status == .ok && reply.tag != old.tag, "\(path)")
            #expect(reply.text.contains("Broth"), "\(path)")
        }
        #expect(try await http.send(.get, plain.path).tag == plainTag)
        // The representation that the change is based on shows the old name.
        #expect(try await patch(recipe.path, ifMatch: before.one.tag, #"{"yield":"2"}"#).status == .preconditionFailed)
    }

    @Test func `a list is 304 until its items or its total count change`() async throws {
        let soup = try await make("recipes", #"{"name":"Soup"}"#)
        func list(_ query: String = "", knowing tag: String? = nil) async throws -> HTTPReply {
            try await http.send(
                .get, "/v1/recipes\(query)", headers: tag.map { [.ifNoneMatch: $0] } ?? [:])
        }
        let first = try await list("?total=true")
        let known = try await list("?total=true", knowing: first.tag)
        #expect(known.status == .notModified && known.bytes.isEmpty && known.tag == first.tag)
        #expect(try await list("?total=true", knowing: "\"a\", \(first.tag)").status == .notModified)
        #expect(try await list("?total=true", knowing: "*").status == .notModified)
        #expect(try await list("", knowing: first.tag).status == .ok, "without the total it is another list")

        _ = try await make("recipes", #"{"name":"Bread"}"#)
        let second = try await list("?total=true", knowing: first.tag)
        #expect(second.status == .ok)
        let page = try await list("?limit=1&total=true")
        #expect(try await patch(soup.path, #"{"yield":"2"}"#).status == .ok)
        #expect(try await list("?total=true", knowing: second.tag).status == .ok)
        #expect(try await list("?limit=1&total=true", knowing: page.tag).status == .notModified)
    }

    @Test func `of two conflicting changes, the second is refused with the current entity tag`() async throws {
        let soup = try await make("recipes", #"{"name":"Soup"}"#)
        let seen = try await http.send(.get, soup.path).tag
        let first = try await patch(soup.path, ifMatch: seen, #"{"yield":"2"}"#)
        let body = #"{"name":"Stew"}"#
        let second = try await http.send(.put, soup.path, token: ada, headers: [.ifMatch: seen], body: body)
        #expect(second.status == .preconditionFailed)
        #expect(second.tag == first.tag && first.tag != seen)
        let third = try await http.send(.put, soup.path, token: ada, headers: [.ifMatch: second.tag], body: body)
        #expect(third.status == .ok)
    }

    @Test func `an asterisk matches any version, but not a missing resource`() async throws {
        let soup = try await make("recipes", #"{"name":"Soup"}"#)
        #expect(try await patch(soup.path, #"{"yield":"2"}"#).status == .ok)
        #expect(try await patch(soup.path, ifMatch: "\"a\", \"b\"", #"{"yield":"3"}"#).status == .preconditionFailed)
        let tag = try await http.send(.get, soup.path).tag
        #expect(try await patch(soup.path, ifMatch: "\"a\", \(tag)", #"{"yield":"3"}"#).status == .ok)
        #expect(try await patch("/v1/recipes/01900000-0000-7000-8000-0000000000ff", "{}").status == .notFound)
    }

    @Test func `preconditions are evaluated in the order of the standard`() async throws {
        let soup = try await make("recipes", #"{"name":"Soup"}"#)
        let tag = try await http.send(.get, soup.path).tag
        let other = #""other""#
        for path in [soup.path, "/v1/recipes", "/openapi.yaml", "/"] {
            let tag = try await http.send(.get, path).tag
            func status(_ fields: HTTPFields) async throws -> Int {
                try await http.send(.get, path, headers: fields).status.code
            }
            #expect(try await status([.ifMatch: other]) == 412, "\(path)")
            #expect(try await status([.ifMatch: "W/\(tag)"]) == 412, "\(path)")
            #expect(try await status([.ifMatch: tag]) == 200, "\(path)")
            #expect(try await status([.ifMatch: "*"]) == 200, "\(path)")
            #expect(try await status([.ifMatch: other, .ifNoneMatch: tag]) == 412, "\(path)")
            #expect(try await status([.ifMatch: tag, .ifNoneMatch: tag]) == 304, "\(path)")
            #expect(try await status([.ifMatch: tag, .ifNoneMatch: other]) == 200, "\(path)")
        }
        func put(_ fields: HTTPFields) async throws -> HTTPReply {
            try await http.send(.put, soup.path, token: ada, headers: fields, body: #"{"name":"Soup"}"#)
        }
        for fields: HTTPFields in [
            [.ifMatch: tag, .ifNoneMatch: "*"], [.ifMatch: "*", .ifNoneMatch: "*"],
            [.ifMatch: tag, .ifNoneMatch: "W/\(tag)"], [.ifNoneMatch: "*"],
        ] {
            let reply = try await put(fields)
            #expect(reply.status == .preconditionFailed && reply.tag == tag, "\(fields)")
        }
        #expect(try await put([.ifMatch: tag, .ifNoneMatch: other]).status == .ok)
        #expect(try await put([.ifNoneMatch: other]).status == .preconditionRequired)
        let photo = "\(soup.path)/photo"
        func fill(_ fields: HTTPFields) async throws -> Int {
            try await http.send(
                .put, photo, token: ada, headers: fields, type: "image/gif", bytes: Array("GIF89a".utf8)
            ).status.code
        }
        #expect(try await fill([.ifMatch: "*", .ifNoneMatch: "*"]) == 412)
        #expect(try await fill([:]) == 428)
        #expect(try await fill([.ifNoneMatch: "*"]) == 201)
        #expect(try await fill([.ifNoneMatch: "*"]) == 412)
        #expect(try await fill([.ifMatch: "*", .ifNoneMatch: "*"]) == 412)
        #expect(try await http.send(.get, photo, headers: [.ifMatch: other]).status == .preconditionFailed)
    }

    @Test func `concurrent changes with If-Match * all succeed, and none is lost`()
        async throws
    {
        let soup = try await make("recipes", #"{"name":"Soup"}"#)
        let changes = [
            ("name", #""Stew""#), ("summary", #""a""#), ("author", #""b""#), ("published", #""2026-03-01""#),
            ("difficulty", "5"), ("rating", "4"), ("preparationMinutes", "3"), ("cookingMinutes", "2"),
            ("yield", #""1""#), ("completed", "true"), ("sourceIdentifier", #""c""#), ("owner", "null"),
        ]
        await http.store.gate.close()
        let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for (name, value) in changes {
                group.addTask { try await patch(soup.path, #"{"\#(name)":\#(value)}"#).status }
            }
            await http.store.gate.arrival(of: changes.count)
            await http.store.gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: .ok, count: changes.count))
        let read = try await http.send(.get, soup.path)
        for (name, value) in changes { #expect(read.json[name] == (try JSON(parsing: value)), "\(name)") }
    }

    @Test func `a delete with If-Match * succeeds despite a concurrent change`() async throws {
        let soup = try await make("recipes", #"{"name":"Soup"}"#)
        await http.store.gate.close()
        async let changed = patch(soup.path, #"{"yield":"2"}"#)
        await http.store.gate.arrival(of: 1)
        async let deleted = http.send(.delete, soup.path, token: ada, headers: [.ifMatch: "*"])
        await http.store.gate.arrival(of: 2)
        await http.store.gate.open()
        let statuses = try await (changed.status, deleted.status)
        #expect([.ok, .notFound].contains(statuses.0) && statuses.1 == .noContent, "\(statuses)")
        #expect(try await http.send(.get, soup.path).status == .notFound)
    }

    @Test func `an unchanged resource keeps its version, and ids ignore case`() async throws {
        let soup = try await make("recipes", #"{"name":"Soup","steps":[{"text":"Cook."}]}"#)
        let read = try await http.send(.get, "/v1/recipes/\(soup.id.uppercased())")
        #expect(read.status == .ok && read.string("id") == soup.id)
        let sequence = http.store.lastSequence
        let replaced = try await http.send(
            .put, soup.path, token: ada, headers: [.ifMatch: read.tag], type: "application/json", bytes: read.bytes)
        #expect(replaced.status == .ok)
        #expect(replaced.bytes == read.bytes && replaced.tag == read.tag)
        #expect(http.store.lastSequence == sequence)
    }

    @Test func `a photo in a body is ignored, and responses are not stored in shared caches`() async throws {
        let soup = try await make(
            "recipes", #"{"name":"Soup","photo":"/v1/recipes/x/photo","id":"x","totalMinutes":9}"#)
        let read = try await http.send(.get, soup.path)
        #expect(read.json["photo"] == .null && read.json["totalMinutes"] == .null)
        #expect(read.headers[.cacheControl] == "private, no-cache")
        #expect(read.headers[.vary] == "Authorization")
        #expect(try await http.send(.get, "\(soup.path)/photo").status == .notFound)
    }
}
