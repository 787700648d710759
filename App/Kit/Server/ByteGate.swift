internal import NIOCore

/// Stands before the parser: it sees when a request's first byte comes, and keeps from the parser what comes after the
/// last request that is answered.
final class ByteGate: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: ConnectionGuard

    init(_ connection: ConnectionGuard) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard connection.isListening else {
            connection.discarded(bytes: Self.unwrapInboundIn(data).readableBytes)
            return
        }
        connection.bytesArrived(Self.unwrapInboundIn(data))
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Nobody behind the parser asks for more than it can use; what is thrown away must be read all the same.
        if !connection.isListening { context.read() }
    }
}
