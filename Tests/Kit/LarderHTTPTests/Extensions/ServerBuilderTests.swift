import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import Testing

@testable import LarderHTTP

struct ServerBuilderTests {
    private static let withoutHost = "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n"

    @Test func `the guard is removed in one line`() async throws {
        try await TestServer.run { server in
            #expect(await RawConnection.exchange(server.port, Self.withoutHost).statuses == [400])
        }
        try await TestServer.run(server: { _ in .http1() }) { server in
            #expect(await RawConnection.exchange(server.port, Self.withoutHost).statuses == [200])
        }
    }

    /// Adds a header field to each response.
    private final class Stamp: ChannelOutboundHandler, RemovableChannelHandler {
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = HTTPResponsePart

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .head(var head) = Self.unwrapOutboundIn(data) else {
                return context.write(data, promise: promise)
            }
            head.headerFields[.server] = "stamped"
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        }
    }

    @Test func `further channel handlers see the requests and responses of the guard`() async throws {
        try await TestServer.run(server: { $0.builder(handlers: [Stamp()]) }) { server in
            let health = await RawConnection.exchange(
                server.port, "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(health.text.contains("Server: stamped\r\n"))
            // The guard's own responses bypass the handlers.
            #expect(await !RawConnection.exchange(server.port, Self.withoutHost).text.contains("stamped"))
        }
    }
}
