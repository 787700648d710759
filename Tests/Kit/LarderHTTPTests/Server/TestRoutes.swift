import HTTPTypes
import Hummingbird
import LarderApp
import NIOCore

@testable import LarderHTTP

/// The routes of a ``TestServer``, and the flags that they share with a test.
struct TestRoutes {
    /// Lets `/held` respond.
    let release = Flag()
    /// Whether `/endless` was cancelled.
    let isEnded = Flag()
    /// The threads of `/blocking` and `/blocking-body`, which block them.
    let threads = RequestThreads(2)
    let blockade = Blockade()
    /// Admits one request at a time to `/gated`.
    let gate = WorkGate(1)

    func router(_ limits: ServerLimits, _ deadlines: RequestDeadlines) -> Router<ServerTestContext> {
        let router = Router(context: ServerTestContext.self)
        router.add(middleware: SecurityHeadersMiddleware())
        router.add(middleware: ProblemMiddleware(realm: "test"))
        router.add(middleware: RequestLimitMiddleware(limit: limits.requestsInFlight) { $0.uri.path == "/health" })
        router.add(middleware: TimeoutMiddleware(deadlines, timeout: limits.requestTimeout))
        router.get("health") { _, _ in "well" }
        let apart = router.group().add(middleware: RequestThreadsMiddleware(threads: threads))
        apart.get("blocking") { [blockade] _, _ in
            blockade.block()
            return "free"
        }
        apart.get("blocking-body") { [blockade] _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    blockade.block()
                    try await writer.write(ByteBuffer(string: "free"))
                    try await writer.finish(nil)
                })
        }
        for method in [HTTPRequest.Method.get, .post] {
            router.on("held", method: method) { [release] _, _ in
                try await release.wait()
                return "held"
            }
        }
        router.get("gated") { [gate, release] _, _ in
            try await gate.pass { try await release.wait() }
            return "passed"
        }
        router.post("echo") { request, _ in
            let bytes = try await request.wholeBody(upTo: limits.jsonBodyBytes)
            return "\(bytes.count) bytes"
        }
        router.post("upload") { request, _ in
            var count = 0
            for try await buffer in request.body { count += buffer.readableBytes }
            return "\(count) bytes"
        }
        router.post("kept") { [release] request, _ in
            _ = try await request.wholeBody(upTo: 5 << 20)
            try await release.wait()
            return "kept"
        }
        router.get("endless") { [isEnded] _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    defer { isEnded.set() }
                    while true { try await writer.write(ByteBuffer(repeating: 0x61, count: 10_000)) }
                })
        }
        router.head("endless") { _, _ in Response(status: .ok, body: .unsent) }
        router.post("unread") { _, _ in "unread" }
        return router
    }
}
