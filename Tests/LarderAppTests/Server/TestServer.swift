import Hummingbird
import LarderApp
import Logging
import NIOCore
import ServiceLifecycle

struct ServerTestContext: ServiceContext {
    var coreContext: CoreRequestContextStorage
    var requestID = "test"

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
    }
}

/// A server on a port of its own, with routes that are slow, read a body, or do not.
struct TestServer {
    let port: Int
    let signal: ShutdownSignal
    let stop: @Sendable () async -> Void

    static func limits(_ change: (inout ServerLimits) -> Void = { _ in }) -> ServerLimits {
        var limits = ServerLimits()
        limits.headerTimeout = .milliseconds(200)
        limits.bodyTimeout = .milliseconds(200)
        limits.rateWindow = .milliseconds(200)
        limits.idleTimeout = .milliseconds(300)
        limits.lingerTimeout = .milliseconds(300)
        limits.drainIdle = .milliseconds(50)
        limits.jsonBodyBytes = 1000
        change(&limits)
        return limits
    }

    /// Runs a server while a body of a test uses it.
    static func run<Value: Sendable>(
        _ limits: ServerLimits = limits(), _ body: @Sendable (TestServer) async throws -> Value
    ) async throws -> Value {
        let (signal, deadlines) = (ShutdownSignal(), RequestDeadlines())
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let service = HTTPService(
            router(limits, deadlines).buildResponder(), address: .hostname("127.0.0.1", port: 0), limits: limits,
            signal: signal, deadlines: deadlines, logger: logger, onRunning: { port.yield($0 ?? 0) })
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        let running = Task { try await group.run() }
        let number = await ports.first { _ in true } ?? 0
        let server = TestServer(port: number, signal: signal) { await group.triggerGracefulShutdown() }
        let result = try await body(server)
        await server.stop()
        try await running.value
        return result
    }

    private static func router(_ limits: ServerLimits, _ deadlines: RequestDeadlines) -> Router<ServerTestContext> {
        let router = Router(context: ServerTestContext.self)
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: InFlightMiddleware(limit: limits.requestsInFlight) { $0.uri.path == "/health" })
        router.add(middleware: TimeoutMiddleware(deadlines) { _ in limits.requestTimeout })
        router.get("health") { _, _ in "well" }
        router.get("slow") { request, _ in
            let time = request.uri.queryParameters.get("ms").flatMap { Int($0) } ?? 150
            try await Task.sleep(for: .milliseconds(time))
            return "slow"
        }
        router.post("echo") { request, _ in
            let bytes = try await request.bytes(upTo: limits.jsonBodyBytes)
            return "\(bytes.count) bytes"
        }
        router.post("upload") { request, _ in
            var count = 0
            for try await buffer in request.body { count += buffer.readableBytes }
            return "\(count) bytes"
        }
        router.get("endless") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    while true { try await writer.write(ByteBuffer(repeating: 0x61, count: 10_000)) }
                })
        }
        router.post("unread") { _, _ in "unread" }
        return router
    }
}
