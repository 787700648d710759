import HTTPTypes
import Hummingbird
import LarderApp
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import LarderHTTP

/// The limit on the rate of requests, as middleware.
struct RateLimiterTests {
    private static let tokens = ["a": "ann", "b": "bob"]

    private let clock = TestClock()
    private let responder: RouterResponder<CallerContext<Librarian>>

    private struct Names: Authenticator {
        func caller(with token: String, logger: Logger) async throws -> Librarian? {
            tokens[token].map { Librarian(key: $0, operatorPermissions: []) }
        }
    }

    init() {
        var limits = ServerLimits()
        (limits.requestRate, limits.requestBurst, limits.anonymousRate) = (1, 3, 2)
        let router = Router(context: CallerContext<Librarian>.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RateFieldsMiddleware())
        router.add(middleware: ProblemMiddleware(realm: "test"))
        var authentication = AuthenticationMiddleware(Names())
        authentication.rates = RateLimiter(limits, now: clock.now)
        router.group().add(middleware: authentication)
            .get("name") { _, context in context.caller?.key ?? "nobody" }
        responder = router.buildResponder()
    }

    private func send(_ authorization: String?, _ method: HTTPRequest.Method = .get) async throws -> HTTPReplyParts {
        var fields: HTTPFields = [:]
        fields[.authorization] = authorization
        let head = HTTPRequest(method: method, scheme: "http", authority: "a", path: "/name", headerFields: fields)
        let response = try await responder.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            context: CallerContext(source: .init(channel: EmbeddedChannel(), logger: Logger(label: "test"))))
        let collected = Collected()
        try await response.body.write(CollectingWriter(collected: collected))
        return HTTPReplyParts(status: response.status.code, headers: response.headers, text: collected.text)
    }

    private struct HTTPReplyParts {
        let status: Int
        let headers: HTTPFields
        let text: String
    }

    @Test func `a caller beyond the rate gets 429 with the time to wait, and others are served`() async throws {
        var statuses: [Int] = []
        for _ in 0..<1_000 {
            statuses.append(try await send("Bearer a").status)
            clock.advance(by: .milliseconds(1))
        }
        #expect(statuses.count { $0 == 200 } == 3)
        #expect(statuses.count { $0 == 429 } == 997)
        let other = try await send("Bearer b")
        #expect(other.status == 200)
        #expect(other.headers[.rateLimit] == #""user";r=2;t=1"#)
        #expect(other.headers[.rateLimitPolicy] == #""user";q=3;w=3"#)
        _ = try await send("Bearer a")
        let refused = try await send("Bearer a")
        #expect(refused.status == 429)
        #expect(refused.headers[.contentType] == "application/problem+json")
        #expect(refused.headers[.retryAfter] == "1")
        #expect(refused.headers[.rateLimit] == #""user";r=0;t=3"#)
        #expect(refused.headers[.rateLimitPolicy] == #""user";q=3;w=3"#)
        #expect(refused.text.contains(#""type":"/docs#problem-too-many-requests""#))
        #expect(refused.text.contains("1 requests per second"))
        clock.advance(by: .seconds(1))
        #expect(try await send("Bearer a").status == 200)
    }

    @Test(arguments: ["Bearer unknown", "Bearer", "Basic YTpi", ""])
    func `an invalid token counts for callers without one, with 401 until their limit`(field: String) async throws {
        let first = try await send(field)
        #expect(first.status == 401)
        #expect(first.headers[.rateLimit] == #""anonymous";r=2;t=1"#)
        #expect(try await send(nil).headers[.rateLimit] == #""anonymous";r=1;t=1"#)
        #expect(try await send(field).status == 401)
        for authorization in [field, nil] {
            let refused = try await send(authorization)
            #expect(refused.status == 429)
            #expect(refused.headers[.rateLimitPolicy] == #""anonymous";q=3;w=2"#)
            #expect(refused.headers[.wwwAuthenticate] == nil)
            #expect(refused.text.contains("without a valid token"))
        }
        #expect(try await send("Bearer a").status == 200)
    }

    @Test func `a request for the head counts, and one without a route does not`() async throws {
        #expect(try await send("Bearer a", .head).headers[.rateLimit] == #""user";r=2;t=1"#)
        let options = try? await send("Bearer a", .options)
        #expect(options?.headers[.rateLimit] == nil)
        #expect(try await send("Bearer a").headers[.rateLimit] == #""user";r=1;t=2"#)
    }

    @Test func `without a rate there is no limiter, and one for anonymous callers leaves users alone`() throws {
        #expect(RateLimiter(ServerLimits()) == nil)
        var limits = ServerLimits()
        limits.anonymousRate = 1
        let limiter = try #require(RateLimiter(limits, now: clock.now))
        let account = RequestAccount()
        for _ in 0..<100 { try limiter.admit("ann", account) }
        #expect(account.rateFields.isEmpty)
        try limiter.admit(nil, account)
        #expect(throws: Problem.self) { try limiter.admit(nil, account) }
        // A burst below a second of the rate of all anonymous callers is only a user's.
        (limits.requestRate, limits.requestBurst, limits.anonymousRate) = (5, 1, 0)
        let second = try #require(RateLimiter(limits, now: clock.now))
        for _ in 0..<5 { try second.admit(nil, account) }
        #expect(throws: Problem.self) { try second.admit(nil, account) }
        try second.admit("ann", account)
        #expect(throws: Problem.self) { try second.admit("ann", account) }
    }
}
