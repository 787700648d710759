import HTTPTypes
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import LarderTesting
import Testing

/// The position of a commit in responses to changes, and in requests that a replica may answer.
struct PositionTests {
    private let position = HTTPField.Name("Store-Position") ?? .accept
    private let store: LateStore
    private let http: HTTPHarness<LoansAPI>
    private let token: String

    init() async throws {
        let schemas = try MapperSet(Loans.mappers).schemas
        store = LateStore(MemoryStore(schemas), replica: MemoryStore(schemas))
        http = try await HTTPHarness(store, mappers: Loans.mappers, hasReplicas: true) { manager, _ in
            LoansAPI(manager)
        }
        let operators = try #require(http.api.operators)
        token = try await operators.tokens.issue(
            to: try await operators.register("ann"), label: "test", lifetime: .seconds(3_600)
        ).secret.text
    }

    private func create(_ name: String) async throws -> HTTPReply {
        try await http.send(.post, "/v1/persons", token: token, body: #"{"name":"\#(name)"}"#)
    }

    private func names(_ position: String?, token: String? = nil) async throws -> [String] {
        var headers: HTTPFields = [:]
        headers[self.position] = position
        let reply = try await http.send(.get, "/v1/persons", token: token, headers: headers)
        guard case .array(let items)? = reply.json["items"] else { return ["\(reply.status) \(reply.text)"] }
        return items.compactMap { if case .string(let name)? = $0["name"] { name } else { nil } }
    }

    @Test func `a list with the position of a change includes it, and may come from a replica`() async throws {
        try await store.replay()
        let early = try #require(try await create("bob").headers[position])
        try await store.replay()
        let late = try #require(try await create("eve").headers[position])
        for token in [nil, token] {
            #expect(try await names(early, token: token) == ["ann", "bob"])
            #expect(try await names(late, token: token) == ["ann", "bob", "eve"])
            #expect(try await names(nil, token: token) == ["ann", "bob", "eve"])
            // The stale answer was not kept for requests without a position.
            #expect(try await names(early, token: token) == ["ann", "bob"])
        }
        try await store.replay()
        #expect(try await names(early) == ["ann", "bob", "eve"])
    }

    @Test func `a change names its position only if it succeeds, and a text that is none is refused`() async throws {
        let refused = try await create("ann")
        #expect(refused.status == .conflict && refused.headers[position] == nil)
        for text in ["", "1", "no position", "00c0ffee00c0ffee-"] {
            let reply = try await http.send(.get, "/v1/persons", headers: [position: text])
            #expect(reply.status == .badRequest && reply.text.contains("Store-Position"), "\(text): \(reply.text)")
        }
    }

    @Test func `caches distinguish the answers of replicas`() async throws {
        let text = try #require(try await create("bob").headers[position])
        let reply = try await http.send(.get, "/v1/persons", headers: [position: text])
        #expect(reply.headers[.vary] == "Authorization, Store-Position")
        #expect(try await http.send(.get, "/v1/persons").headers[.vary] == "Authorization")
    }

    @Test func `without replicas, no response has a position, and a request's is ignored`() async throws {
        let plain = try await HTTPHarness(store, mappers: Loans.mappers) { manager, _ in LoansAPI(manager) }
        let created = try await plain.send(.post, "/v1/persons", token: token, body: #"{"name":"bob"}"#)
        #expect(created.status == .created && created.headers[position] == nil)
        #expect(try await plain.send(.get, "/v1/persons", headers: [position: "any"]).status == .ok)
    }
}
