import Hummingbird
import HummingbirdCore
import LarderHTTP
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

/// A server on a free port, with routes that wait, read a body, or do neither.
struct TestServer {
    let port: Int
    let signal: ShutdownSignal
    /// The requests in progress.
    let deadlines: RequestDeadlines
    let routes: TestRoutes
    /// Tells the server to stop, without waiting for its end.
    let stop: @Sendable () async -> Void

    /// Limits that a busy machine does not reach, except for the short idle timeout: a client here reads until the
    /// connection ends. Tests of a deadline make it short.
    static func limits(_ change: (inout ServerLimits) -> Void = { _ in }) -> ServerLimits {
        var limits = ServerLimits()
        limits.headerTimeout = .seconds(120)
        limits.bodyTimeout = .seconds(120)
        limits.rateWindow = .seconds(120)
        limits.drainTimeout = .seconds(120)
        limits.idleTimeout = .milliseconds(200)
        limits.lingerTimeout = .milliseconds(300)
        limits.drainIdle = .milliseconds(50)
        limits.jsonBodyBytes = 1000
        change(&limits)
        return limits
    }

    private static var quiet: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    /// Returns when this many requests are in progress.
    func hasRequests(_ count: Int) async throws {
        try await until { deadlines.count == count }
    }

    /// Tells the server to stop, and returns when every connection has received the event.
    func beginToStop() async throws {
        await stop()
        // An accepted connection ends by itself; a refused one shows that the listener is closed.
        while await RawConnection.exchange(port, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").isClosed {}
        // The server notifies the connections, each on its event loop.
        for _ in 0..<2 {
            for loop in EventLoopGroupProvider.singleton.eventLoopGroup.makeIterator() {
                try await loop.submit {}.get()
            }
        }
    }

    /// Runs a server while the body of a test uses it.
    static func run<Value: Sendable>(
        _ limits: ServerLimits = limits(), logger: Logger = quiet,
        server: (GuardedServer) throws -> HTTPServerBuilder = { $0.builder() },
        _ body: @Sendable (TestServer) async throws -> Value
    ) async throws -> Value {
        let (signal, deadlines, routes) = (ShutdownSignal(), RequestDeadlines(), TestRoutes())
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let settings = ServerSettings(port: 0, limits: limits)
        let service = HTTPService(
            routes.router(limits, deadlines).buildResponder(), settings, server: try server(GuardedServer(settings)),
            signal: signal, deadlines: deadlines, logger: logger, onRunning: { port.yield($0 ?? 0) })
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        let running = Task { try await group.run() }
        let number = await ports.first { _ in true } ?? 0
        let server = TestServer(port: number, signal: signal, deadlines: deadlines, routes: routes) {
            await group.triggerGracefulShutdown()
        }
        let result = try await body(server)
        await server.stop()
        try await running.value
        return result
    }
}
