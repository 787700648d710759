internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTP2
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// Adds a ``ConnectionGuard`` to the pipeline to which Hummingbird has added this handler: around the HTTP/1.1 parser,
/// or in an HTTP/2 stream, with codecs that translate the parts for the guard.
final class GuardInstaller: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let limits: ServerLimits
    private let onRefusal: @Sendable (Problem) -> Void
    /// The watch of a stream's connection.
    private var watch: ConnectionWatch?

    init(_ limits: ServerLimits, onRefusal: @escaping @Sendable (Problem) -> Void) {
        (self.limits, self.onRefusal) = (limits, onRefusal)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        do {
            let pipeline = context.pipeline.syncOperations
            let parser = try? pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self).handler
            let connection = parser == nil ? context.channel.parent ?? context.channel : context.channel
            let watch = try connection.pipeline.syncOperations.handler(type: ConnectionWatch.self)
            let guarding = ConnectionGuard(
                watch.isServed ? limits : limits.inReserve, isServed: watch.isServed, isStream: parser == nil,
                onRefusal: onRefusal)
            watch.requestBegan()
            if let parser {
                try pipeline.addHandler(ByteGate(guarding), position: .before(parser))
                try pipeline.addHandlers(
                    [guarding, DepartureProbe(after: limits.departureDelay)], position: .after(parser))
            } else {
                self.watch = watch
                let frames = connection.pipeline.syncOperations
                if let handler = try? frames.handler(type: NIOHTTP2Handler.self),
                    (try? frames.handler(type: LastFrames.self)) == nil
                {
                    try frames.addHandler(LastFrames(), position: .before(handler))
                }
                let handlers: [any ChannelHandler] = [
                    HTTPToHTTP1ServerCodec(), guarding, HTTP1ToHTTPServerCodec(secure: true),
                ]
                try pipeline.addHandlers(handlers, position: .before(self))
            }
        } catch {
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        watch?.requestEnded()
    }
}
