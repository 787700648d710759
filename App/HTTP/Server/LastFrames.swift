internal import NIOCore

/// Closes an HTTP/2 connection one tick later. When a server stops, Hummingbird's handler closes the connection as soon
/// as the end of the last response is written, which is before that end is flushed: the frames would be lost.
final class LastFrames: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.eventLoop.assumeIsolated().execute { context.close(mode: mode, promise: promise) }
    }
}
