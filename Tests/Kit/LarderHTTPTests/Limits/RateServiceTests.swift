import HTTPTypes
import LarderApp
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderTesting
import Testing

@testable import LarderHTTP

/// The limit on the rate of requests, in a service.
struct RateServiceTests {
    private let http: HTTPHarness<LoansAPI>
    private let token: String

    init() async throws {
        var limits = ServerLimits()
        (limits.requestRate, limits.requestBurst, limits.anonymousRate) = (1, 1_000, 20)
        let schemas = try MapperSet(Loans.mappers).schemas
        http = try await HTTPHarness(MemoryStore(schemas), mappers: Loans.mappers) { [limits] manager, _ in
            LoansAPI(manager, limits)
        }
        let operators = try #require(http.api.operators)
        token = try await operators.tokens.issue(
            to: try await operators.register("ann"), label: "test", lifetime: .seconds(3_600)
        ).secret.text
    }

    /// What is left of a quota after a response; `nil` if the request was not counted.
    private func left(_ reply: HTTPReply) -> Int? {
        reply.headers[.rateLimit].flatMap { $0.firstMatch(of: /r=(\d+)/) }.flatMap { Int($0.output.1) }
    }

    @Test func `a cached response is not counted, and has no state of another caller's bucket`() async throws {
        let first = try await http.send(.get, "/v1/persons")
        #expect(first.headers[.rateLimitPolicy] == #""anonymous";q=1000;w=50"#)
        #expect(left(first) == 999)
        for _ in 0..<100 {
            let cached = try await http.send(.get, "/v1/persons")
            #expect(cached.status == .ok)
            #expect(cached.headers[.rateLimit] == nil && cached.headers[.rateLimitPolicy] == nil)
        }
        // With a token the cache is not used.
        let own = try await http.send(.get, "/v1/persons", token: token)
        #expect(own.headers[.rateLimitPolicy] == #""user";q=1000;w=1000"#)
        #expect(left(own) == 999)
    }

    @Test func `health checks, pages and methods without a route are not counted`() async throws {
        for path in ["/health/live", "/health/ready", "/docs", "/openapi.json", "/nowhere", "/v1/nowhere"] {
            let reply = try await http.send(.get, path, token: "invalid")
            #expect(reply.headers[.rateLimit] == nil, "\(path)")
        }
        #expect(try await http.send(.options, "/v1/persons", token: token).headers[.rateLimit] == nil)
        #expect(try await http.send(.get, "/v1/persons?limit=x").headers[.rateLimit] != nil)
    }

    @Test func `problems, replayed responses and change streams have the fields, and count once`() async throws {
        var before = 1_000
        func expectCounted(_ reply: HTTPReply, _ status: HTTPResponse.Status) throws {
            #expect(reply.status == status)
            let now = try #require(left(reply))
            // The bucket gets a token each second.
            #expect((before - 1...before + 10).contains(now) && now < 1_000)
            before = now
        }
        let headers: HTTPFields = [.idempotencyKey: "key"]
        let body = #"{"name":"bob"}"#
        for _ in 0..<2 {
            try expectCounted(
                try await http.send(.post, "/v1/persons", token: token, headers: headers, body: body), .created)
        }
        try expectCounted(try await http.send(.get, "/v1/persons/x", token: token), .notFound)
        try expectCounted(try await http.send(.get, "/metrics", token: token), .ok)
        try expectCounted(
            try await http.send(.get, "/v1/changes", token: token, type: nil, bytes: nil, events: 1), .ok)
    }

    @Test func `a service without rates has no field of them`() async throws {
        let schemas = try MapperSet(Loans.mappers).schemas
        let http = try await HTTPHarness(MemoryStore(schemas), mappers: Loans.mappers) { manager, _ in
            LoansAPI(manager)
        }
        for _ in 0..<3 {
            let reply = try await http.send(.get, "/v1/persons?limit=x")
            #expect(reply.headers[.rateLimit] == nil && reply.headers[.rateLimitPolicy] == nil)
        }
    }
}
