import HTTPTypes
import LarderApp
import LarderHTTP
import LarderTesting
import Testing

@testable import CookbookApp

/// Access to other users' entities, through every route.
struct ForeignThingsTests {
    /// A request, its body, and the statuses for ``SomebodysThings/callers``.
    static let table: [(request: String, body: String?, statuses: [Int])] = [
        ("GET /v1/recipes/{recipe}", nil, [200, 200, 200, 200, 200]),
        ("PUT /v1/recipes/{recipe}", #"{"name":"Mine"}"#, [401, 403, 403, 200, 200]),
        ("PATCH /v1/recipes/{recipe}", #"{"name":"Mine"}"#, [401, 403, 403, 200, 200]),
        ("PATCH /v1/recipes/{recipe}", #"{"owner":"{other cook}"}"#, [401, 403, 403, 200, 403]),
        ("PATCH /v1/recipes/{recipe}", #"{"owner":null}"#, [401, 403, 403, 200, 403]),
        ("PUT /v1/recipes/{recipe}", #"{"name":"Nobody's","owner":null}"#, [401, 403, 403, 200, 403]),
        ("DELETE /v1/recipes/{recipe}", nil, [401, 403, 403, 204, 204]),
        ("POST /v1/recipes/{recipe}/rate", #"{"rating":1}"#, [401, 403, 403, 200, 200]),
        ("POST /v1/recipes/{recipe}/cook", #"{"cookbook":"{cookbook}"}"#, [401, 404, 404, 201, 201]),
        ("GET /v1/recipes/{recipe}/photo", nil, [200, 200, 200, 200, 200]),
        ("PUT /v1/recipes/{recipe}/photo", nil, [401, 403, 403, 204, 204]),
        ("DELETE /v1/recipes/{recipe}/photo", nil, [401, 403, 403, 204, 204]),
        ("POST /v1/recipes", #"{"name":"Hers","owner":"{ann}"}"#, [401, 403, 403, 201, 201]),
        ("POST /v1/recipes", #"{"name":"Nobody's","owner":null}"#, [401, 403, 403, 201, 403]),
        ("POST /v1/recipes", #"{"name":"New"}"#, [401, 403, 201, 201, 201]),
        ("GET /v1/cookbooks/{cookbook}", nil, [401, 404, 404, 200, 200]),
        ("PUT /v1/cookbooks/{cookbook}", #"{"name":"Mine"}"#, [401, 404, 404, 200, 200]),
        ("PATCH /v1/cookbooks/{cookbook}", #"{"name":"Mine"}"#, [401, 404, 404, 200, 200]),
        ("DELETE /v1/cookbooks/{cookbook}", nil, [401, 404, 404, 204, 204]),
        ("POST /v1/cookbooks", #"{"name":"Hers","owner":"{ann}"}"#, [401, 403, 403, 201, 201]),
        ("GET /v1/sessions/{session}", nil, [401, 404, 404, 200, 200]),
        ("PUT /v1/sessions/{session}", #"{"repetitions":9}"#, [401, 404, 404, 200, 200]),
        ("PATCH /v1/sessions/{session}", #"{"repetitions":9}"#, [401, 404, 404, 200, 200]),
        ("DELETE /v1/sessions/{session}", nil, [401, 404, 404, 204, 204]),
        ("POST /v1/sessions", #"{"user":"{ann}"}"#, [401, 403, 403, 201, 201]),
        ("GET /v1/tags/{tag}", nil, [200, 200, 200, 200, 200]),
        ("PUT /v1/tags/{tag}", #"{"name":"Mine"}"#, [401, 403, 403, 200, 403]),
        ("PATCH /v1/tags/{tag}", #"{"name":"Mine"}"#, [401, 403, 403, 200, 403]),
        ("DELETE /v1/tags/{tag}", nil, [401, 403, 403, 204, 403]),
        ("POST /v1/tags", #"{"name":"New"}"#, [401, 403, 201, 201, 201]),
        ("POST /v1/tags/merge", #"{"source":"{tag}","target":"{other tag}"}"#, [401, 403, 403, 200, 403]),
        ("GET /v1/brands/{brand}", nil, [200, 200, 200, 200, 200]),
        ("PUT /v1/brands/{brand}", #"{"name":"Mine","language":"it"}"#, [401, 403, 403, 200, 403]),
        ("PATCH /v1/brands/{brand}", #"{"name":"Mine"}"#, [401, 403, 403, 200, 403]),
        ("DELETE /v1/brands/{brand}", nil, [401, 403, 403, 204, 403]),
        ("POST /v1/brands", #"{"name":"New","language":"it"}"#, [401, 403, 201, 201, 201]),
        ("GET /v1/users/{ann}", nil, [401, 404, 404, 200, 200]),
        (
            "PUT /v1/users/{ann}", #"{"email":"ann@example.org","firstName":"C","lastName":"D"}"#,
            [401, 404, 404, 200, 200]
        ),
        ("PATCH /v1/users/{ann}", #"{"role":"admin"}"#, [401, 404, 404, 200, 403]),
        ("PATCH /v1/users/{ann}", #"{"email":"other@example.org"}"#, [401, 404, 404, 200, 403]),
        ("DELETE /v1/users/{ann}", nil, [401, 404, 404, 409, 403]),
        (
            "POST /v1/users", #"{"email":"new@example.org","firstName":"A","lastName":"B","role":"admin"}"#,
            [401, 403, 403, 201, 403]
        ),
        ("GET /v1/users/{ann}/tokens", nil, [401, 404, 404, 200, 200]),
        ("POST /v1/users/{ann}/tokens", #"{"label":"spare"}"#, [401, 404, 404, 201, 403]),
        ("POST /v1/users/{ann}/tokens/{token}/revoke", nil, [401, 404, 404, 204, 204]),
        ("GET /metrics", nil, [401, 403, 403, 200, 403]), ("GET /v1/backup", nil, [401, 403, 403, 200, 403]),
    ]

    @Test(arguments: table.indices)
    func `each caller has exactly the access to foreign entities that the table states`(row: Int) async throws {
        let (request, body, statuses) = Self.table[row]
        let parts = request.split(separator: " ", maxSplits: 1).map(String.init)
        let method = try #require(HTTPRequest.Method(rawValue: parts[0]))
        var things = try await SomebodysThings()
        var before = try await things.everything()
        for (caller, status) in zip(SomebodysThings.callers, statuses) {
            let reply = try await things.send(caller, method, parts[1], body)
            #expect(reply.status.code == status, "\(request) of \(caller): \(reply.text)")
            if status >= 400 || method == .get {
                #expect(try await things.everything() == before, "\(request) of \(caller)")
            } else if caller != SomebodysThings.callers.last {
                things = try await SomebodysThings()
                before = try await things.everything()
            }
        }
    }

    @Test func `the table has every route with an id parameter`() async throws {
        let routes = try await CookbookHarness().routes.filter { $0.contains("/{") && !$0.contains("/assets/") }
        let place = #/\{[^}]+\}/#
        let named = Set(routes.map { $0.replacing(place, with: "{}") })
        #expect(named.count > 25)
        #expect(named.subtracting(Self.table.map { $0.request.replacing(place, with: "{}") }) == [])
    }

    @Test(arguments: ["reader", "other cook"])
    func `a foreign entity is reported as missing`(caller: String) async throws {
        let things = try await SomebodysThings()
        for (path, name) in [("/v1/cookbooks", "cookbook"), ("/v1/sessions", "session"), ("/v1/users", "ann")] {
            let id = try #require(things.ids[name])
            let nothing = String(id.dropLast(4)) + "ffff"
            let foreign = try await things.send(caller, .get, "\(path)/\(id)", nil)
            let missing = try await things.send(caller, .get, "\(path)/\(nothing)", nil)
            #expect(foreign.status == .notFound && missing.status == .notFound)
            #expect(foreign.text.replacing(id, with: "") == missing.text.replacing(nothing, with: ""))
        }
    }

    @Test(arguments: ["reader", "other cook"])
    func `no list shows foreign entities, even on request`(caller: String) async throws {
        let things = try await SomebodysThings()
        let ann = try #require(things.ids["ann"])
        let paths = [
            "/v1/cookbooks?total=true", "/v1/cookbooks?total=true&owner={ann}", "/v1/sessions?total=true",
            "/v1/sessions?total=true&user={ann}", "/v1/users?total=true", "/v1/users?total=true&email=ann@example.org",
        ]
        for path in paths {
            let reply = try await things.send(caller, .get, path, nil)
            #expect(reply.status == .ok)
            #expect(reply.json["total"] == .integer(path == "/v1/users?total=true" ? 1 : 0), "\(path): \(reply.text)")
            #expect(!reply.text.contains("ann@") && !reply.text.contains(ann))
        }
    }
}
