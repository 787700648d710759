internal import NIOCore

/// Stands before the parser: it sees when a request's first byte comes, checks the first line of each request, and keeps
/// from the parser what comes after the last request that is answered.
final class ByteGate: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: ConnectionGuard
    private var head = HeadScanner()
    private var body = HeadScanner(inBody: true)

    init(_ connection: ConnectionGuard) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var rest = Self.unwrapInboundIn(data)
        // The parser gets one head or body at a time, so that each first line is seen before it is parsed.
        while connection.isListening, rest.readableBytes > 0 {
            let length: Int
            if connection.input.isInBody, let left = connection.bodyLeft {
                length = min(left, rest.readableBytes)
            } else if connection.input.isInBody {
                // Only the parser knows where a body in chunks ends: it gets the bytes up to each place where it may.
                length = body.scan(rest.readableBytesView)
            } else {
                if connection.input.isWaiting { (head, body) = (HeadScanner(), HeadScanner(inBody: true)) }
                length = head.scan(rest.readableBytesView)
            }
            guard length > 0, let part = rest.readSlice(length: length) else { break }
            connection.bytesArrived(firstLine: head.lineLength)
            guard head.isWellFormed else { return connection.refuseFirstLine() }
            context.fireChannelRead(Self.wrapInboundOut(part))
        }
        if rest.readableBytes > 0 { connection.discarded(bytes: rest.readableBytes) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Nobody behind the parser asks for more than it can use; what is thrown away must be read all the same.
        if !connection.isListening { context.read() }
    }
}
