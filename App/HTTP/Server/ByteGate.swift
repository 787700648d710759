internal import NIOCore

/// Precedes the parser: it detects the first byte of a request, checks the request line, and discards the input after
/// the last request that is answered.
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
        // The parser gets one head or body at a time, so that each request line is checked before it is parsed.
        while connection.isListening, rest.readableBytes > 0 {
            let length: Int
            if connection.input.isInBody, let left = connection.bodyLeft {
                length = min(left, rest.readableBytes)
            } else if connection.input.isInBody {
                // Only the parser finds the end of a chunked body: it gets the bytes up to each possible end.
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
        // The later handlers stop reading when they need no more input, but discarded input must be read too.
        if !connection.isListening { context.read() }
    }
}
