import HTTPTypes
import Hummingbird
import LarderHTTP
import Logging
import NIOCore
import NIOEmbedded
import Testing

@Suite("Caller limit")
struct CallerLimitTests {
    @Test func `each caller has a limited number of concurrent requests, and anonymous ones leave some to others`()
        async throws
    {
        let release = Flag()
        let limits = TestServer.limits { ($0.requestsInFlight, $0.requestsPerCaller) = (4, 2) }
        let router = Router(context: NamedContext.self)
        router.add(middleware: ProblemMiddleware(realm: "test"))
        router.add(middleware: NameMiddleware())
        router.add(middleware: RequestLimitMiddleware(limits) { $0.name })
        router.post("held") { request, _ in
            for try await _ in request.body {}
            try await release.wait()
            return "done"
        }
        router.get("quick") { _, _ in "quick" }
        let responder = router.buildResponder()
        @Sendable func ask(_ method: HTTPRequest.Method, _ path: String, as name: String?) async throws -> Response {
            var fields = HTTPFields()
            if let name { fields[.userAgent] = name }
            let head = HTTPRequest(method: method, scheme: "http", authority: "a", path: path, headerFields: fields)
            return try await responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
                context: NamedContext(source: .init(channel: EmbeddedChannel(), logger: Logger(label: "test"))))
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    var response = try await ask(.post, "/held", as: "ann")
                    // A quick request below may occupy the slot for a moment.
                    while response.status == .tooManyRequests {
                        await Task.yield()
                        response = try await ask(.post, "/held", as: "ann")
                    }
                    #expect(response.status == .ok)
                }
            }
            // A refused or completed request uses no slot, so the test can repeat requests until both slots are in use.
            var refused = try await ask(.get, "/quick", as: "ann")
            while refused.status == .ok {
                await Task.yield()
                refused = try await ask(.get, "/quick", as: "ann")
            }
            #expect(refused.status == .tooManyRequests)
            #expect(refused.headers[.retryAfter] == "1")
            #expect(try await ask(.get, "/quick", as: "bob").status == .ok)
            #expect(try await ask(.get, "/quick", as: nil).status == .ok)
            release.set()
            try await group.waitForAll()
        }
        #expect(try await ask(.get, "/quick", as: "ann").status == .ok)
    }
}

private struct NamedContext: ServiceContext {
    var coreContext: CoreRequestContextStorage
    var requestID = "test"
    var name: String?

    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
}

private struct NameMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: NamedContext,
        next: @concurrent (Request, NamedContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.name = request.headers[.userAgent]
        return try await next(request, context)
    }
}
