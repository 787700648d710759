import HTTPTypes
import Hummingbird
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import Logging
import NIOCore
import NIOEmbedded
import Testing

/// Each permission of an operator is separate, and a token can be restricted to some.
struct RestrictedTokenTests {
    private static let routes = ["/metrics", "/v1/backup", "/v1/persons", "/v1/changes"]

    /// The statuses of the routes and of the issue of a token, for a caller with permissions and a token.
    private func statuses(
        _ permissions: Set<OperatorPermission>, restricted: Set<OperatorPermission>? = nil,
        _ method: HTTPRequest.Method = .head, logger: Logger = Logger(label: "test")
    ) async throws -> [Int] {
        let mappers = try MapperSet(Loans.mappers)
        let store = MemoryStore(mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        let api = LoansAPI(manager, permissions: permissions)
        let person = Person(id: EntityID(UUIDv7Generator().next()), name: "Ann")
        try await manager.create(person)
        let secret = try await api.tokens.issue(
            to: person.id.rawValue, label: "test", restriction: try restricted.map(TokenRestriction.init)
        ).secret
        let feed = await ChangeFeed(of: store)
        let responder = try api.router(
            feed: feed, readiness: Readiness { .writable }, metrics: PrometheusMetrics(), store: store,
            watchesClients: false
        ).buildResponder()
        func status(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws -> Int {
            let head = HTTPRequest(
                method: method, scheme: "http", authority: "a", path: path,
                headerFields: [.authorization: "Bearer " + secret.text, .contentType: "application/json"])
            return try await responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))),
                context: CallerContext(
                    source: .init(channel: EmbeddedChannel(), logger: logger))
            ).status.code
        }
        var statuses: [Int] = []
        for route in Self.routes { statuses.append(try await status(method, route)) }
        return statuses + [try await status(.post, "/v1/persons/\(person.id)/tokens", #"{"label":"other"}"#)]
    }

    /// Permissions, and the statuses of ``routes`` and of the issue of a token.
    struct Case: Sendable {
        let permissions: Set<OperatorPermission>
        let statuses: [Int]

        init(_ permissions: Set<OperatorPermission>, _ statuses: [Int]) {
            (self.permissions, self.statuses) = (permissions, statuses)
        }

        static let operators = [
            Case(.all, [200, 200, 200, 200, 201]), Case([], [403, 403, 200, 200, 403]),
            Case([.readMetrics], [200, 403, 200, 200, 403]), Case([.backUp], [403, 200, 200, 200, 403]),
            Case([.issueTokens], [403, 403, 200, 200, 201]),
        ]
        static let restricted = [
            Case([.readMetrics], [200, 403, 403, 403, 403]), Case([.backUp], [403, 200, 403, 403, 403]),
            Case([.readMetrics, .backUp], [200, 200, 403, 403, 403]),
        ]
    }

    @Test(arguments: Case.operators)
    func `each permission of an operator permits one thing`(test: Case) async throws {
        #expect(try await statuses(test.permissions) == test.statuses)
    }

    @Test(arguments: Case.restricted)
    func `a restricted token permits exactly the routes of its permissions`(test: Case) async throws {
        #expect(try await statuses(.all, restricted: test.permissions) == test.statuses)
        // It gives no permission that its owner lacks.
        #expect(try await statuses([], restricted: test.permissions) == [403, 403, 403, 403, 403])
    }

    @Test func `the log has what operators do, with the caller, and no reads of metrics`() async throws {
        let recorder = LogRecorder()
        #expect(try await statuses(.all, .get, logger: recorder.logger()) == [200, 200, 200, 200, 201])
        let acts = recorder.text.filter { $0.contains("operator act") }
        #expect(acts.count == 2)
        #expect(acts[0].contains(#""act":"backup""#) && acts[1].contains(#""act":"issue token""#))
        #expect(acts[1].contains(#""owner":""#) && acts[1].contains(#""token":""#))
        #expect(acts.allSatisfy { $0.contains(/"by":"[^"]+"/) })
        let refused = LogRecorder()
        _ = try await statuses([.readMetrics], .get, logger: refused.logger())
        #expect(!refused.text.contains { $0.contains("operator act") })
    }

    @Test func `a token cannot be restricted to nothing, or to issuing others`() {
        for permissions: Set<OperatorPermission> in [[], [.issueTokens], .all] {
            #expect(throws: InvalidField.self) { try TokenRestriction(permissions) }
        }
    }

    @Test func `a revoked token keeps its restriction`() async throws {
        let service = try await Service()
        let person = try await service.addPerson()
        let token = try await service.tokens.issue(
            to: person.id.rawValue, label: "a", restriction: try TokenRestriction([.readMetrics])
        ).token
        #expect(try await service.tokens.revoke(token.id).restriction?.names == ["metrics"])
    }

    @Test func `a permission of a later version is omitted from a restriction, and does not remove it`() {
        #expect(TokenRestriction(columnValue: .text("metrics later"))?.permissions == [.readMetrics])
        #expect(TokenRestriction(columnValue: .text("later"))?.permissions == [])
        #expect(TokenRestriction(columnValue: .integer(1)) == nil)
    }
}
