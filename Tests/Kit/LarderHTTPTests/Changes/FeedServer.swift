import HTTPTypes
import Hummingbird
@testable import LarderHTTP
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import Testing

/// A feed behind a server on a free port, and the number of its connections.
struct FeedServer {
    let test: TestFeed
    let port: Int
    let connections: OpenConnections
    /// Simulates the revocation of a token.
    let access: Access
    private let group: ServiceGroup

    var feed: ChangeFeed { test.feed }

    /// Serves while the body runs, and stops like a service.
    static func run(
        _ test: TestFeed = TestFeed(), sendBuffer: Int? = nil, _ body: (FeedServer) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let (access, connections) = (Access(), OpenConnections())
        let router = Router(context: Context.self)
        for method in [HTTPRequest.Method.get, .head] {
            router.on("changes", method: method) { request, context in
                try test.feed.response(to: request, over: context.loop, isAllowed: { access.isGiven })
            }
        }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let app = Application(
            router: router,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [ConnectionCounter(connections, sendBuffer: sendBuffer)])),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), services: [test.feed],
            onServerRunning: { channel in
                port.yield(channel.localAddress?.port ?? 0)
                port.finish()
            }, logger: logger)
        let group = ServiceGroup(configuration: .init(services: [app], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            do {
                let port = try #require(await ports.first { _ in true })
                try await body(
                    FeedServer(test: test, port: port, connections: connections, access: access, group: group))
            } catch {
                tasks.cancelAll()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    func stop() async { await group.triggerGracefulShutdown() }

    struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        let loop: any EventLoop

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            loop = source.channel.eventLoop
        }
    }

    /// Whether the client is still permitted at the next heartbeat.
    final class Access: Sendable {
        private let given = Mutex(true)
        var isGiven: Bool { given.withLock { $0 } }
        func revoke() { given.withLock { $0 = false } }
    }
}

/// The number of a server's connections.
final class OpenConnections: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add(_ change: Int) { number.withLock { $0 += change } }
}

/// Counts its connection from its start to its end, and can make the system buffer little output.
private final class ConnectionCounter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    private let connections: OpenConnections
    private let sendBuffer: Int?

    init(_ connections: OpenConnections, sendBuffer: Int?) {
        self.connections = connections
        self.sendBuffer = sendBuffer
    }

    func handlerAdded(context: ChannelHandlerContext) {
        connections.add(1)
        guard let sendBuffer else { return }
        let option = ChannelOptions.socketOption(.so_sndbuf)
        context.channel.setOption(option, value: SocketOptionValue(sendBuffer)).whenFailure { Issue.record($0) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { connections.add(-1) }
}
