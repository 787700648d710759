import CookbookDomain
import HTTPTypes
import LarderApp
import LarderTesting

@testable import CookbookApp

/// Ann's entities, entities without an owner, and callers who try to access them.
struct SomebodysThings {
    /// The callers in the order of the table's columns: three without access, an admin, and Ann.
    static let callers = ["nobody", "reader", "other cook", "admin", "Ann"]
    /// The first bytes of a picture.
    static let picture: [UInt8] = Array("GIF89a, and the rest".utf8)

    let http: CookbookHarness
    private(set) var tokens: [String: String] = [:]
    /// Ids, keyed by the names that represent them in braces: `recipe`.
    private(set) var ids: [String: String] = [:]

    init(_ settings: StoreSettings = StoreSettings(location: .memory)) async throws {
        http = try await CookbookHarness(settings)
        let people: [(String, String, Role)] = [
            ("reader", "rob@example.org", .reader), ("other cook", "bob@example.org", .cook),
            ("admin", "ada@example.org", .admin), ("Ann", "ann@example.org", .cook),
        ]
        for (name, email, role) in people {
            tokens[name] = try await http.user(email, role)
            let found = try await http.send(.get, "/v1/users?email=\(email)", token: tokens[name])
            if case .array(let items)? = found.json["items"], case .string(let id)? = items.first?["id"] {
                ids[name == "Ann" ? "ann" : name] = id
            }
        }
        let made: [(String, String, String, String)] = [
            ("recipe", "Ann", "/v1/recipes", #"{"name":"Stew"}"#),
            ("cookbook", "Ann", "/v1/cookbooks", #"{"name":"Mine"}"#),
            ("session", "Ann", "/v1/sessions", #"{"recipe":"{recipe}"}"#),
            ("tag", "admin", "/v1/tags", #"{"name":"Soup"}"#),
            ("other tag", "admin", "/v1/tags", #"{"name":"Broth"}"#),
            ("brand", "admin", "/v1/brands", #"{"name":"Miller","language":"en"}"#),
            ("token", "admin", "/v1/users/{ann}/tokens", #"{"label":"phone"}"#),
        ]
        for (name, caller, path, body) in made {
            ids[name] = try await send(caller, .post, path, body).string("id")
        }
        _ = try await http.send(
            .put, filled("/v1/recipes/{recipe}/photo"), token: tokens["Ann"], headers: [.ifNoneMatch: "*"],
            type: "image/gif", bytes: Self.picture)
    }

    /// Replaces the names of a text by ids.
    func filled(_ text: String) -> String {
        ids.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// The path of a route, with ids of existing entities.
    func path(ofRoute route: String) -> String {
        let names = ["recipes", "cookbooks", "sessions", "tags", "brands"]
        let filled = names.reduce(route) { $0.replacing("\($1)/{id}", with: "\($1)/{\($1.dropLast())}") }
        return self.filled(filled.replacing("users/{id}", with: "users/{ann}").replacing("{file}", with: "dom.js"))
    }

    /// Sends a request of a caller, with `If-Match: *` where the method changes something.
    func send(_ caller: String, _ method: HTTPRequest.Method, _ path: String, _ body: String?) async throws -> HTTPReply
    {
        let changes = [.put, .patch, .delete].contains(method)
        let headers: HTTPFields = changes ? [.ifMatch: "*"] : [:]
        let isPhoto = method == .put && path.hasSuffix("/photo")
        let type = isPhoto ? "image/gif" : method == .patch ? "application/merge-patch+json" : "application/json"
        let bytes = isPhoto ? Self.picture + Array(caller.utf8) : body.map { Array(filled($0).utf8) }
        return try await http.send(
            method, filled(path), token: tokens[caller], headers: headers, type: type, bytes: bytes)
    }

    /// All content, as an admin sees it.
    func everything() async throws -> [[UInt8]] {
        let paths = [
            "/v1/recipes", "/v1/cookbooks", "/v1/sessions", "/v1/tags", "/v1/brands", "/v1/users",
            "/v1/users/{ann}/tokens", "/v1/recipes/{recipe}/photo",
        ]
        var all: [[UInt8]] = []
        for path in paths { all.append(try await send("admin", .get, path, nil).bytes) }
        return all
    }
}
