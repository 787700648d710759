internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Hummingbird's HTTP/1.1 connection, with a guard before and behind its parser.
struct ServiceChannel: ServerChildChannel {
    private let base: HTTP1Channel
    private let limits: ServerLimits
    private let count: ConnectionCount
    private let onRefusal: @Sendable (Problem) -> Void

    init(
        _ responder: @escaping HTTPChannelHandler.Responder, limits: ServerLimits,
        onRefusal: @escaping @Sendable (Problem) -> Void
    ) {
        let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
            maxHeaderFieldCount: limits.headerFields)
        base = HTTP1Channel(responder: responder, configuration: .init(httpDecoderConfiguration: decoder))
        self.limits = limits
        count = ConnectionCount(limit: limits.connections)
        self.onRefusal = onRefusal
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self).handler
            let connection = ConnectionGuard(limits, count: count, onRefusal: onRefusal)
            try pipeline.addHandler(ByteGate(connection), position: .before(decoder))
            try pipeline.addHandler(connection, position: .after(decoder))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
