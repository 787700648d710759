internal import NIOCore
internal import NIOHTTP1

/// Finds out whether a client that has ended its output still waits for the response, on a connection of HTTP/1.1.
///
/// The system reports the same end for a client that sends no more requests and for one that has gone. If the response
/// has not started after a while, the handler sends 100 (continue), which a waiting client ignores. The system of a
/// client that has gone resets the connection, which closes the channel.
final class DepartureProbe: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let delay: TimeAmount
    /// The version of a request whose response has not started.
    private var awaited: HTTPVersion?
    private var timer: Scheduled<Void>?

    init(after delay: Duration) {
        self.delay = TimeAmount(delay)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = Self.unwrapInboundIn(data) { awaited = head.version }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let head) = Self.unwrapOutboundIn(data), head.status.code >= 200 {
            awaited = nil
            timer?.cancel()
        }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event, awaited == .http1_1 {
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: delay) {
                guard self.awaited != nil else { return }
                let head = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(Self.wrapOutboundOut(.head(head)), promise: nil)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }
}
