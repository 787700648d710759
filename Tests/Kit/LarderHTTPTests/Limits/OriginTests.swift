import HTTPTypes
import Hummingbird
import LarderData
import LarderInfrastructure
import LarderTesting
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import LarderApp
@testable import LarderHTTP

/// Requests of pages of other origins (CORS).
struct OriginTests {
    private static let known = ["https://app.example", "http://localhost:3000"]

    private let responder: RouterResponder<CallerContext<Librarian>>

    init() async throws {
        let mappers = try MapperSet(Loans.mappers)
        let cached = CachedStore(MemoryStore(mappers.schemas))
        let api = LoansAPI(StoreManager(cached, mappers: mappers))
        let server = ServerSettings(corsOrigins: Self.known)
        responder = try api.router(
            feed: await ChangeFeed(of: cached), readiness: Readiness { .writable }, metrics: PrometheusMetrics(),
            store: cached, outermost: api.outermost(server, PrometheusMetrics()) { cached.epoch }, watchesClients: false
        ).buildResponder()
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, from origin: String?, headers: HTTPFields = [:]
    ) async throws -> HTTPReply {
        var fields = headers
        fields[.origin] = origin
        let head = HTTPRequest(method: method, scheme: "http", authority: "a", path: path, headerFields: fields)
        return try await HTTPReply(
            responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
                context: CallerContext(source: .init(channel: EmbeddedChannel(), logger: quiet))))
    }

    private var quiet: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    private func permissions(_ reply: HTTPReply) -> [String] {
        reply.headers.filter { $0.name.canonicalName.hasPrefix("access-control-") }.map { $0.name.canonicalName }
            .sorted()
    }

    private func varies(_ reply: HTTPReply) -> Bool { reply.headers[values: .vary].contains("Origin") }

    @Test(arguments: known)
    func `a preflight of a known origin is answered without a token`(origin: String) async throws {
        for path in ["/v1/persons", "/v1/persons/x", "/metrics", "/nowhere"] {
            let reply = try await send(
                .options, path, from: origin,
                headers: [.accessControlRequestMethod: "PUT", .accessControlRequestHeaders: "authorization,if-match"])
            #expect(reply.status == .noContent)
            #expect(reply.headers[.accessControlAllowOrigin] == origin)
            #expect(reply.headers[.accessControlAllowMethods] == "GET, HEAD, POST, PUT, PATCH, DELETE")
            let names = reply.headers[.accessControlAllowHeaders]?.split(separator: ", ") ?? []
            #expect(Set(names).isSuperset(of: ["authorization", "content-type", "if-match", "idempotency-key"]))
            #expect(reply.headers[.accessControlMaxAge] == "3600")
            #expect(reply.headers[.accessControlAllowCredentials] == nil)
            #expect(reply.headers[.xContentTypeOptions] == "nosniff" && reply.headers[.xRequestID] != nil)
            #expect(varies(reply))
        }
    }

    @Test(arguments: [
        "https://other.example", "null", "https://app.example.other.example", "http://app.example", "*",
        "https://app.example:8443", "https://APP.example", "",
    ])
    func `an unknown origin gets no permission`(origin: String) async throws {
        for method in [HTTPRequest.Method.options, .get, .head, .post] {
            let reply = try await send(
                method, "/v1/persons", from: origin, headers: [.accessControlRequestMethod: "PUT"])
            #expect(permissions(reply).isEmpty)
            #expect(varies(reply))
        }
    }

    @Test func `a response and a problem permit the origin, and their fields can be read`() async throws {
        for (path, status) in [("/v1/persons", 200), ("/v1/persons/x", 404), ("/metrics", 401), ("/health/live", 200)] {
            let reply = try await send(.get, path, from: Self.known[0])
            #expect(reply.status.code == status)
            #expect(
                permissions(reply) == ["access-control-allow-origin", "access-control-expose-headers"])
            #expect(reply.headers[.accessControlAllowOrigin] == Self.known[0])
            let names = reply.headers[.accessControlExposeHeaders]?.split(separator: ", ") ?? []
            let expected: Set<Substring> = ["ETag", "Location", "Link", "X-Request-ID", "Retry-After", "RateLimit"]
            #expect(Set(names).isSuperset(of: expected))
            #expect(varies(reply))
        }
    }

    @Test func `a cached response has the permission of its own request only`() async throws {
        let origins: [String?] = [Self.known[0], Self.known[1], nil, "https://other.example", Self.known[0]]
        var tags: Set<String> = []
        for origin in origins {
            let reply = try await send(.get, "/v1/persons", from: origin)
            tags.insert(reply.tag)
            let isKnown = origin.map(Self.known.contains) ?? false
            #expect(reply.headers[.accessControlAllowOrigin] == (isKnown ? origin : nil))
            #expect(reply.headers[values: .vary].count { $0 == "Origin" } == 1)
            let same = try await send(.get, "/v1/persons", from: origin, headers: [.ifNoneMatch: reply.tag])
            #expect(same.status == .notModified)
            #expect(same.headers[.accessControlAllowOrigin] == (isKnown ? origin : nil))
        }
        #expect(tags.count == 1)
    }
}
