internal import HummingbirdCore
internal import LarderApp
internal import Logging
internal import NIOCore

/// A channel of Hummingbird with a ``ConnectionWatch`` before all other handlers, also before TLS.
struct ServiceChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let limits: ServerLimits
    let gate: WorkGate

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<ServiceConnection<Base>> {
        boundReceived(channel)
        boundUnsent(channel)
        do {
            try channel.pipeline.syncOperations.addHandler(ConnectionWatch(limits, gate), position: .first)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger).map { ServiceConnection($0, of: base, logger) }
    }

    /// Limits the bytes of one turn of the event loop: a body in chunks of one byte costs six bytes, and passes all
    /// handlers, for each. Other connections must not wait for more of them.
    private func boundReceived(_ channel: any Channel) {
        _ = channel.setOption(.maxMessagesPerRead, value: 1)
        let allocator = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16 * 1024)
        _ = channel.setOption(.recvAllocator, value: allocator)
    }

    /// Limits the unsent bytes of a connection. Otherwise the kernel would buffer megabytes for each client that does
    /// not read. Bytes in flight are not limited, so a large response to a fast client is not slowed down.
    private func boundUnsent(_ channel: any Channel) {
        // A thousand connections may each have this much, one piece that is being written, and one that waits.
        let mark = ChannelOptions.Types.WriteBufferWaterMark(low: 4 * 1024, high: 8 * 1024)
        _ = channel.setOption(.writeBufferWaterMark, value: mark)
        #if os(Linux)
        let notSentLowWaterMark = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: 25))
        // The option is not essential: some systems do not have it.
        _ = channel.setOption(notSentLowWaterMark, value: 128 * 1024)
        #endif
    }

    func handle(value: ServiceConnection<Base>, logger: Logger) async {
        let watch = ClientWatch()
        value.channel.closeFuture.whenComplete { _ in watch.leave() }
        await ClientWatch.$current.withValue(watch) { await base.handle(value: value.take(), logger: logger) }
    }
}
