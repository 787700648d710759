import CookbookDomain
import HTTPTypes
import LarderApp
import LarderTesting
import Testing

@testable import CookbookApp
import LarderHTTP

@Suite struct ResourceTests {
    @Test func `a recipe is created, read, replaced, changed and deleted`() async throws {
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        let tag = try await http.send(.post, "/v1/tags", token: token, body: #"{"name":"Soup"}"#)
        #expect(tag.status == .created)
        let body = #"{"name":"Stew","tags":[{"id":"\#(tag.string("id"))"}],"steps":[{"text":"Cook."}]}"#
        let created = try await http.send(.post, "/v1/recipes", token: token, body: body)
        #expect(created.status == .created, "\(created.text)")
        let path = created.headers[.location] ?? ""

        let read = try await http.send(.get, path)
        #expect(read.bytes == created.bytes)
        #expect(read.tag == created.tag)
        let known = try await http.send(.get, path, headers: [.ifNoneMatch: read.tag])
        #expect(known.status == .notModified)

        let replaced = try await http.send(
            .put, path, token: token, headers: [.ifMatch: read.tag],
            body: read.text.replacing("\"Stew\"", with: "\"Broth\""))
        #expect(replaced.status == .ok, "\(replaced.text)")
        #expect(replaced.string("name") == "Broth")
        #expect(replaced.json["steps"] == read.json["steps"])
        let patched = try await http.send(
            .patch, path, token: token, headers: [.ifMatch: replaced.tag], type: "application/merge-patch+json",
            body: #"{"yield":"2","steps":null}"#)
        #expect(patched.string("yield") == "2")
        #expect(patched.json["steps"] == .array([]))

        let stale = try await http.send(.delete, path, token: token, headers: [.ifMatch: replaced.tag])
        #expect(stale.status == .preconditionFailed)
        #expect(stale.tag == patched.tag)
        #expect(try await http.send(.delete, path, token: token).status == .preconditionRequired)
        let deleted = try await http.send(.delete, path, token: token, headers: [.ifMatch: patched.tag])
        #expect(deleted.status == .noContent)
        #expect(try await http.send(.get, path).status == .notFound)
    }

    @Test func `a change returns exactly the bytes of a later read, even if text is normalized when stored`()
        async throws
    {
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        let bodies = [
            "recipes":
                #"{"name":"Cafe\u0301","steps":[{"text":"u\u0308"}],"ingredients":[{"text":"a","quantity":-0.0}]}"#,
            "tags": #"{"name":"Cafe\u0301"}"#, "cookbooks": #"{"name":"Cafe\u0301"}"#,
            "brands": #"{"name":"Cafe\u0301","language":"fr","keywords":["\u212b"]}"#,
            "users": #"{"email":"e\u0301@example.org","firstName":"Rene\u0301","lastName":"\u212aim"}"#,
        ]
        for (name, body) in bodies {
            func send(
                _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ body: String
            ) async throws
                -> HTTPReply
            {
                let type = method == .patch ? "application/merge-patch+json" : "application/json"
                let reply = try await http.send(method, path, token: token, headers: headers, type: type, body: body)
                let read = try await http.send(.get, reply.headers[.location] ?? path, token: token)
                #expect(read.status == .ok && reply.bytes == read.bytes, "\(method) \(reply.text) \(read.text)")
                #expect(reply.tag == read.tag, "\(method) \(name)")
                return reply
            }
            let made = try await send(.post, "/v1/\(name)", [.idempotencyKey: "a"], body)
            let path = made.headers[.location] ?? ""
            #expect(try await send(.post, "/v1/\(name)", [.idempotencyKey: "a"], body).bytes == made.bytes)
            let other = body.replacing("Cafe", with: "The").replacing("Rene", with: "Aime")
            _ = try await send(.put, path, [.ifMatch: "*"], other)
            // The stored text again, in decomposed form.
            _ = try await send(.put, path, [.ifMatch: "*"], other)
            _ = try await send(.patch, path, [.ifMatch: "*"], body)
            guard name != "users" else { continue }
            let once = try await send(.post, "/v1/\(name)", [:], body.replacing("Cafe", with: "Frappe"))
            #expect(once.status == .created)
        }
    }

    @Test(arguments: [nil, "a-key"])
    func `a dangling reference is reported with its path in the body`(key: String?) async throws {
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        let tag = try await http.send(.post, "/v1/tags", token: token, body: #"{"name":"Soup"}"#).string("id")
        let unknown = "01900000-0000-7000-8000-0000000000FF"
        let recipe = #"{"name":"x","tags":[{"id":"\#(tag)"}]}"#
        let made = try await http.send(.post, "/v1/recipes", token: token, body: recipe)
        let path = made.headers[.location] ?? ""
        let cookbook = try await http.send(.post, "/v1/cookbooks", token: token, body: #"{"name":"x"}"#)
        let refused: [(HTTPRequest.Method, String, String, String)] = [
            (
                .post, "/v1/recipes", #"{"name":"x","ingredients":[{"text":"a"},{"text":"b","brand":"\#(unknown)"}]}"#,
                "/ingredients/1/brand"
            ),
            (.post, "/v1/recipes", #"{"name":"x","tags":[{"id":"\#(tag)"},{"id":"\#(unknown)"}]}"#, "/tags/1/id"),
            (.post, "/v1/recipes", #"{"name":"\#(unknown)","owner":"\#(unknown)"}"#, "/owner"),
            (.post, "/v1/sessions", #"{"recipe":"\#(unknown)"}"#, "/recipe"),
            (.put, path, #"{"name":"x","tags":[{"id":"\#(unknown)"}]}"#, "/tags/0/id"),
            (.patch, path, #"{"ingredients":[{"text":"b","brand":"\#(unknown)"}]}"#, "/ingredients/0/brand"),
            (
                .patch, cookbook.headers[.location] ?? "",
                #"{"name":"y","favourites":[],"history":["\#(made.string("id"))","\#(unknown)"]}"#, "/history/1"
            ),
        ]
        for (method, path, body, pointer) in refused {
            var headers: HTTPFields = method == .post ? [:] : [.ifMatch: "*"]
            if method == .post { headers[.idempotencyKey] = key }
            let type = method == .patch ? "application/merge-patch+json" : "application/json"
            let reply = try await http.send(method, path, token: token, headers: headers, type: type, body: body)
            #expect(reply.status == .unprocessableContent, "\(reply.text)")
            let detail = "refers to a missing object: \(unknown.lowercased())"
            #expect(
                reply.json["errors"] == .array([FieldError(pointer: pointer, detail: detail).json]), "\(reply.text)")
        }
    }

    @Test func `a null owner makes a recipe ownerless, and a missing owner leaves it unchanged`() async throws {
        let http = try await CookbookHarness()
        let (ada, token) = try await http.register("ada@example.org", .admin)
        let (bob, _) = try await http.register("bob@example.org", .cook)
        func send(_ method: HTTPRequest.Method, _ path: String, _ body: String) async throws -> (JSON?, String) {
            let type = method == .patch ? "application/merge-patch+json" : "application/json"
            let reply = try await http.send(
                method, path, token: token, headers: method == .post ? [:] : [.ifMatch: "*"], type: type, body: body)
            #expect(reply.status == (method == .post ? .created : .ok), "\(reply.text)")
            let kept = reply.headers[.location] ?? path
            #expect(try await http.send(.get, kept).json["owner"] == reply.json["owner"])
            return (reply.json["owner"], kept)
        }
        let (adas, bobs) = (JSON.string("\(ada)"), JSON.string("\(bob)"))
        let (unnamed, path) = try await send(.post, "/v1/recipes", #"{"name":"Stew"}"#)
        #expect(unnamed == adas)
        #expect(try await send(.post, "/v1/recipes", #"{"name":"Stew","owner":null}"#).0 == .null)
        for method in [HTTPRequest.Method.put, .patch] {
            #expect(try await send(method, path, #"{"name":"Stew","owner":null}"#).0 == .null)
            #expect(try await send(method, path, #"{"name":"Broth"}"#).0 == .null)
            #expect(try await send(method, path, #"{"name":"Stew","owner":"\#(bob)"}"#).0 == bobs)
            #expect(try await send(method, path, #"{"name":"Broth"}"#).0 == bobs)
        }
    }
}
