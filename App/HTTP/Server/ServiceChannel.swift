internal import Hummingbird
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
        let onDemand: HTTPChannelHandler.Responder = { request, writer, channel in
            try await responder(request.askedForOnDemand(over: channel), writer, channel)
        }
        base = HTTP1Channel(responder: onDemand, configuration: .init(httpDecoderConfiguration: decoder))
        self.limits = limits
        count = ConnectionCount(limit: limits.connections)
        self.onRefusal = onRefusal
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<ServiceConnection> {
        boundUnsent(channel)
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let accepted = ServiceConnection(value)
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self).handler
            let connection = ConnectionGuard(limits, count: count, onRefusal: onRefusal)
            try pipeline.addHandler(ByteGate(connection), position: .before(decoder))
            try pipeline.addHandler(connection, position: .after(decoder))
            return accepted
        }
    }

    /// The kernel would take megabytes for each client that does not read. This bounds what waits to be sent, and not what
    /// is on its way, so that a large answer to a fast client is as fast as before.
    private func boundUnsent(_ channel: any Channel) {
        // A thousand connections may each hold this, one piece that is being written, and one that waits.
        let mark = ChannelOptions.Types.WriteBufferWaterMark(low: 4 * 1024, high: 8 * 1024)
        _ = channel.setOption(.writeBufferWaterMark, value: mark)
        #if os(Linux)
        let notSentLowWaterMark = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: 25))
        // A system without the option works all the same.
        _ = channel.setOption(notSentLowWaterMark, value: 128 * 1024)
        #endif
    }

    func handle(value: ServiceConnection, logger: Logger) async {
        await base.handle(value: value.take(), logger: logger)
    }
}
