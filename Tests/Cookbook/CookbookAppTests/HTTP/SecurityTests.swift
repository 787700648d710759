import HTTPTypes
import LarderApp
import LarderTesting
import Testing

@testable import CookbookApp

/// Rules for responses to browsers and to unauthenticated callers, on every route.
struct SecurityTests {
    /// The routes without endless streams, whose body a test could not read.
    private static func routes(
        of http: CookbookHarness, where isWanted: (HTTPRequest.Method) -> Bool = { _ in true }
    ) -> [(method: HTTPRequest.Method, path: String)] {
        http.routes.filter { $0 != "GET /v1/changes" }.compactMap { route in
            let parts = route.split(separator: " ").map(String.init)
            return HTTPRequest.Method(rawValue: parts[0]).map { ($0, parts[1]) }
        }.filter { isWanted($0.method) }
    }

    /// The faults of a response to a browser that loads it from a page of another origin.
    private static func faults(_ reply: HTTPReply) -> [String] {
        func value(_ name: String) -> String { HTTPField.Name(name).flatMap { reply.headers[$0] } ?? "" }
        let (type, policy) = (value("Content-Type"), value("Content-Security-Policy"))
        let known = [
            "application/json", "application/problem+json", "application/yaml", "application/x-ndjson",
            "application/octet-stream",
        ]
        let checks: [(String, Bool)] = [
            ("sniffing", value("X-Content-Type-Options") == "nosniff"),
            ("referrer", value("Referrer-Policy") == "no-referrer"),
            ("other origins", value("Cross-Origin-Resource-Policy") == "same-origin"),
            ("policy", ["default-src", "base-uri", "frame-ancestors"].allSatisfy { policy.contains("\($0) 'none'") }),
            ("sandbox", type.hasPrefix("text/html") || policy.hasSuffix("; sandbox")),
            ("CORS", !reply.headers.contains { $0.name.canonicalName.hasPrefix("access-control-") }),
            ("cookie", value("Set-Cookie").isEmpty),
            ("versions", value("Server").isEmpty && value("X-Powered-By").isEmpty),
            ("type", reply.bytes.isEmpty || !type.isEmpty),
            ("charset", !type.hasPrefix("text/") || type.hasSuffix("; charset=utf-8")),
            ("kind", type.isEmpty || known.contains(type) || type.hasPrefix("text/") || type.hasPrefix("image/")),
            ("JSON", reply.bytes.isEmpty || !type.hasSuffix("/json") || reply.json != .null),
            ("caching", reply.bytes.isEmpty || !value("Cache-Control").isEmpty),
        ]
        return checks.filter { !$0.1 }.map { "\($0.0): \(reply.headers) \(reply.text.prefix(200))" }
    }

    @Test(arguments: SomebodysThings.callers)
    func `every response has security header fields, and allows no other origin`(caller: String) async throws {
        let things = try await SomebodysThings()
        let origin: HTTPFields = [.origin: "https://elsewhere.example"]
        var requests = Self.routes(of: things.http) + [(.get, "/nowhere"), (.trace, "/"), (.get, "/v1/recipes?a=b")]
        requests += Self.routes(of: things.http).flatMap { [(.options, $0.path), (.head, $0.path)] }
        // Requests that delete the caller come last.
        requests.sort { ($0.method == .delete ? 1 : 0) < ($1.method == .delete ? 1 : 0) }
        #expect(requests.count > 100)
        for (method, path) in requests where (method, path) != (.head, "/v1/changes") {
            let body: String? = [.get, .head, .options, .trace].contains(method) ? nil : "{}"
            let reply = try await things.http.send(
                method, things.path(ofRoute: path), token: things.tokens[caller], headers: origin, body: body)
            #expect(Self.faults(reply).isEmpty, "\(method) \(path): \(Self.faults(reply))")
        }
    }

    @Test func `credentials that a browser sends by itself do not authenticate`() async throws {
        let things = try await SomebodysThings()
        let token = try #require(things.tokens["admin"])
        let habits: [(query: String, headers: HTTPFields)] = [
            ("", [.cookie: "token=\(token); access_token=\(token); session=\(token)"]),
            ("?access_token=\(token)&token=\(token)", [:]),
            ("", [.authorization: "Basic \(token)"]),
        ]
        let changing = Self.routes(of: things.http) { ![.get, .head].contains($0) }
        #expect(changing.count > 20)
        let before = try await things.everything()
        for (method, path) in changing + [(.get, "/v1/users"), (.get, "/metrics")] {
            for (query, headers) in habits {
                let reply = try await things.http.send(
                    method, things.path(ofRoute: path) + query, headers: headers, body: method == .get ? nil : "{}")
                #expect(reply.status == .unauthorized, "\(method) \(path)\(query): \(reply.text)")
            }
        }
        #expect(try await things.everything() == before)
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"])
    func `a body of a form media type is refused`(type: String) async throws {
        let things = try await SomebodysThings()
        let routes = Self.routes(of: things.http) { [.post, .put, .patch].contains($0) }
        for (method, path) in routes where !path.hasSuffix("/revoke") {
            let reply = try await things.http.send(
                method, things.path(ofRoute: path), token: things.tokens["admin"], headers: [.ifMatch: "*"],
                type: type, body: #"{"name":"Forged"}"#)
            #expect(reply.status == .unsupportedMediaType, "\(method) \(path): \(reply.text)")
        }
    }

    @Test func `a request with a safe method has no effect`() async throws {
        let things = try await SomebodysThings()
        let before = try await things.everything()
        for (_, path) in Self.routes(of: things.http) {
            for method in [HTTPRequest.Method.get, .head, .options] {
                _ = try await things.http.send(method, things.path(ofRoute: path), token: things.tokens["admin"])
            }
        }
        #expect(try await things.everything() == before)
    }

    @Test(arguments: [
        "/.git/config", "/.git/HEAD", "/.env", "/Package.swift", "/assets/.git/config", "/assets/../Package.swift",
        "/assets/%2e%2e%2fPackage.swift", "/assets/..%5cPackage.swift", "/assets/", "/larder.sqlite", "/etc/passwd",
    ])
    func `no files are served from a folder`(path: String) async throws {
        let reply = try await CookbookHarness().send(.get, path)
        #expect(reply.status == .notFound)
        #expect(reply.headers[.contentType] == "application/problem+json")
    }

    @Test func `a response has only the documented members of its kind`() async throws {
        let things = try await SomebodysThings()
        let kinds: [(String, Set<String>)] = [
            ("/v1/users/{ann}", ["id", "email", "firstName", "lastName", "role", "createdAt"]),
            ("/v1/cookbooks/{cookbook}", ["id", "owner", "name", "favourites", "history", "createdAt"]),
            ("/v1/sessions/{session}", ["id", "user", "recipe", "repetitions", "startedAt", "createdAt"]),
            ("/v1/tags/{tag}", ["id", "name", "createdAt"]),
            ("/v1/brands/{brand}", ["id", "name", "language", "keywords", "createdAt"]),
            ("/v1/me", ["user", "token"]),
            (
                "/v1/recipes/{recipe}",
                [
                    "id", "name", "summary", "author", "published", "difficulty", "rating", "preparationMinutes",
                    "cookingMinutes", "totalMinutes", "yield", "completed", "photo", "sourceIdentifier", "createdAt",
                    "owner", "steps", "ingredients", "tags",
                ]
            ),
        ]
        for (path, names) in kinds {
            #expect(Self.names(try await things.send("admin", .get, path, nil).json) == names, "\(path)")
        }
        let issued = try await things.send("admin", .post, "/v1/users/{ann}/tokens", #"{"label":"a"}"#).json
        let members: Set = ["id", "label", "createdAt", "expiresAt", "revokedAt"]
        #expect(Self.names(issued) == members.union(["token"]))
        let listed = try await things.send("admin", .get, "/v1/users/{ann}/tokens", nil).json["items"]
        guard case .array(let tokens)? = listed else { return #expect(Bool(false)) }
        #expect(tokens.count == 3 && tokens.allSatisfy { Self.names($0) == members })
    }

    @Test func `a token is refused as soon as it is revoked or its user is deleted`() async throws {
        let things = try await SomebodysThings()
        let issued = try await things.send("admin", .post, "/v1/users/{reader}/tokens", #"{"label":"a"}"#)
        let (id, token) = (issued.string("id"), issued.string("token"))
        func ask(_ token: String?) async throws -> HTTPResponse.Status {
            try await things.http.send(.get, "/v1/cookbooks", token: token).status
        }
        #expect(try await ask(token) == .ok)
        let path = "/v1/users/{reader}/tokens/\(id)/revoke"
        #expect(try await things.send("admin", .post, path, nil).status == .noContent)
        #expect(try await ask(token) == .unauthorized)
        #expect(try await ask(things.tokens["reader"]) == .ok)
        #expect(try await things.send("admin", .delete, "/v1/users/{reader}", nil).status == .noContent)
        #expect(try await ask(things.tokens["reader"]) == .unauthorized)
    }

    private static func names(_ json: JSON) -> Set<String> {
        if case .object(let members) = json { Set(members.map(\.name)) } else { [] }
    }
}
