#if Service
import HTTPTypes
import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import LarderTesting
import Logging
import Testing

/// A service with one route that works, one that breaks the rules of answers, and the change stream.
private struct BooksAPI: ServiceAPI {
    struct Nobody: ServiceCaller {
        var key: String { "" }
    }

    struct Nothing: Authenticator {
        func caller(with token: String, logger: Logger) async throws -> Nobody? { token == "secret" ? Nobody() : nil }
    }

    let identity = ServiceIdentity(name: "books", title: "Books")
    let service: ResourceService<Nobody, any PersistencyManager>
    let ids = CountingIDs()

    init(_ manager: any PersistencyManager) {
        service = ResourceService(
            manager: manager, authenticator: Nothing(), readingIsOpen: true, limits: ServerLimits(),
            responses: ResponseKeeper()
        ) { manager, _ in manager }
    }

    func addRoutes(to group: RouterGroup<CallerContext<Nobody>>, _ parts: ServiceParts) {
        group.post("books") { request, context in
            try await service.posting(request, context) { manager, _ in
                let book = Book(id: EntityID(ids.next()), title: "Emma")
                try await manager.create(book)
                return try .json(.object([.init("id", .string(book.id.description))]), status: .created)
            }
        }
        group.get("rude") { _, _ in Response(status: .notFound) }
        ChangesRoute(service, parts) { _ in PolicySet([OwnerPolicy<Book>()]) }.add(to: group)
    }

    func pages() throws -> ServicePages {
        try ServicePages(identity) { _ in try APIDocument(identity) }
    }
}

/// Each finding about a service has a fixture that produces it.
struct HTTPTestingTests {
    private func player() async throws -> HTTPTranscriptPlayer<BooksAPI> {
        let mappers: [any EntityMapper.Type] = [BookMapper.self, StoredResponseMapper.self]
        let store = MemoryStore(try MapperSet(mappers).schemas)
        let http = try await HTTPHarness(store, mappers: mappers) { manager, _ in BooksAPI(manager) }
        return HTTPTranscriptPlayer(http, callers: ["ann": .init(id: "1", token: "secret")])
    }

    private let text = """
        # Two requests with one key.
        > POST /v1/books as ann (twice at once)
        > Idempotency-Key: 1
        >
        > {}
        < 409
        = first

        > GET /v1/nothing

        """

    @Test func `a transcript is played, and its text is parsed again`() async throws {
        var transcript = HTTPTranscript(text)
        #expect(transcript.text == text)
        _ = try await transcript.play(try await player(), isRewriting: true)
        #expect(transcript.exchanges.map(\.status) == [409, 404])
        let recorded = transcript
        let findings = try await transcript.play(try await player())
        #expect(findings == [] && transcript.text == recorded.text)
    }

    @Test func `an answer that differs is a finding`() async throws {
        var transcript = HTTPTranscript("> GET /health/live\n< 500\n")
        let findings = try await transcript.play(try await player())
        #expect(findings.count == 1)
        #expect(findings.first?.hasPrefix("GET /health/live\nis answered\n200") == true)
    }

    @Test func `an answer that breaks a rule of every answer is a finding`() async throws {
        var transcript = HTTPTranscript("> GET /v1/rude\n< 404\n")
        let findings = try await transcript.play(try await player(), isRewriting: true)
        #expect(
            findings == [
                "GET /v1/rude: an error that is not a problem", "GET /v1/rude: a problem that may be cached",
            ])
    }

    @Test func `a name that no answer has is an error`() async throws {
        for path in ["/v1/books/<emma>", "/v1/books/<ann.title>"] {
            var transcript = HTTPTranscript("> GET \(path)\n")
            let player = try await player()
            await #expect(throws: HTTPTranscriptPlayer<BooksAPI>.UnknownName.self) {
                _ = try await transcript.play(player)
            }
        }
    }

    @Test func `a stream is left after some events`() async throws {
        let http = try await player().http
        _ = try await http.send(.post, "/v1/books", token: "secret", body: "{}")
        let reply = try await http.send(
            .get, "/v1/changes", headers: [.init("Last-Event-ID") ?? .accept: "0000000000000000-0"], type: nil,
            bytes: nil,
            events: 1)
        #expect(reply.status == .ok && reply.lines.contains { $0.hasPrefix("id:") })
    }

    @Test func `routes and statuses without a description or a transcript are findings`() throws {
        let document = try JSON(
            parsing: """
                {"paths": {
                  "/v1/books": {"get": {"responses": {"200": {}, "304": {}, "default": {}}}},
                  "/v1/books/{id}": {"get": {"responses": {"200": {}}}, "parameters": []}
                }}
                """)
        let coverage = RouteCoverage(routes: ["GET /v1/books", "POST /v1/books"], document: document)
        let transcripts = [
            HTTPTranscript("> GET /v1/books?limit=1\n< 200\n\n> GET /v1/books\n< 418\n\n> GET /v1/books\n< 503\n"),
            HTTPTranscript("> GET /v1/books\n"),
        ]
        #expect(coverage.listed == ["GET /v1/books 200", "GET /v1/books 304"])
        #expect(
            coverage.findings(transcripts) == [
                "POST /v1/books is not described", "GET /v1/books/{id} is described and has no route",
                "GET /v1/books is answered 418, which is not described", "GET /v1/books has no answer",
                "GET /v1/books 304 is in no transcript",
            ])
    }
}
#endif
