internal import LarderApp
internal import NIOCore

/// Counts a connection, and closes it if no request starts in time: during TLS negotiation, and between the requests of
/// HTTP/2. On an HTTP/1.1 connection, the ``ConnectionGuard`` does this from the first request on.
final class ConnectionWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let limits: ServerLimits
    private let gate: WorkGate
    private var claim: WorkClaim?
    private var channel: (any Channel)?
    private var timer: Scheduled<Void>?
    private var requests = 0
    /// Whether the connection is within the limit on connections.
    var isServed: Bool { claim != nil }

    init(_ limits: ServerLimits, _ gate: WorkGate) {
        (self.limits, self.gate) = (limits, gate)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        channel = context.channel
        claim = try? gate.claim(for: nil)
        wait(limits.headerTimeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        channel = nil
        claim?.release()
    }

    func requestBegan() {
        timer?.cancel()
        requests += 1
    }

    func requestEnded() {
        requests -= 1
        if requests == 0 { wait(limits.idleTimeout) }
    }

    private func wait(_ timeout: Duration) {
        guard let channel else { return }
        timer = channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) { channel.close(promise: nil) }
    }
}
