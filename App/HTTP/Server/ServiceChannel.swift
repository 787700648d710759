internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// A channel of Hummingbird's with a ``ConnectionWatch`` before everything else, also before TLS.
struct ServiceChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let limits: ServerLimits
    let count: ConnectionCount

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<ServiceConnection<Base>> {
        boundUnsent(channel)
        do {
            try channel.pipeline.syncOperations.addHandler(ConnectionWatch(limits, count), position: .first)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger).map { ServiceConnection($0, of: base, logger) }
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

    func handle(value: ServiceConnection<Base>, logger: Logger) async {
        await base.handle(value: value.take(), logger: logger)
    }
}
