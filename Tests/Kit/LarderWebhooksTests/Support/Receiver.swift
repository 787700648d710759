import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTP server on the loopback interface that records requests, and answers as a test wants.
final class Receiver: Sendable {
    struct Message: Sendable {
        /// The method and the path.
        var path = ""
        var headers = HTTPFields()
        var body: [UInt8] = []

        var id: String? { headers[HTTPField.Name("webhook-id")!] }
    }

    enum Answer: Sendable {
        case status(Int, location: String? = nil)
        /// A body that ends with the connection.
        case endless
        /// Bytes instead of HTTP.
        case bytes(String)
        case silence
        case close
    }

    /// The requests that have ended.
    let messages = Mutex<[Message]>([])
    /// The connections since the start, and those that are open.
    let connections = Mutex<(all: Int, open: Int)>((0, 0))
    let port: Int

    private init(port: Int) { self.port = port }

    var ids: [String?] { messages.withLock { $0.map(\.id) } }
    var isIdle: Bool { connections.withLock { $0.open == 0 } }

    /// - Parameters:
    ///   - isMute: Whether it only accepts connections.
    ///   - answer: The answer to a request, of which there are some before.
    static func run(
        tls: TLSConfiguration? = nil, isMute: Bool = false,
        answer: @escaping @Sendable (_ before: Int) -> Answer = { _ in .status(200) },
        _ body: (Receiver) async throws -> Void
    ) async throws {
        let shared = Mutex<Receiver?>(nil)
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    if !isMute { try channel.pipeline.syncOperations.configureHTTPServerPipeline() }
                    guard let receiver = shared.withLock({ $0 }) else { throw ChannelError.ioOnClosedChannel }
                    try channel.pipeline.syncOperations.addHandler(Handler(receiver, isMute, answer))
                }
            }
            // The receiver is known before the first connection is accepted.
            .serverChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        let receiver = Receiver(port: channel.localAddress?.port ?? 0)
        shared.withLock { $0 = receiver }
        try await channel.setOption(.autoRead, value: true).get()
        let result: Result<Void, any Error>
        do { result = .success(try await body(receiver)) } catch { result = .failure(error) }
        try await channel.close()
        try result.get()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let receiver: Receiver
        private let isMute: Bool
        private let answer: @Sendable (Int) -> Answer
        private var message = Message()

        init(_ receiver: Receiver, _ isMute: Bool, _ answer: @escaping @Sendable (Int) -> Answer) {
            (self.receiver, self.isMute, self.answer) = (receiver, isMute, answer)
        }

        func channelActive(context: ChannelHandlerContext) {
            receiver.connections.withLock { $0 = ($0.all + 1, $0.open + 1) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            receiver.connections.withLock { $0.open -= 1 }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if isMute { return }
            switch unwrapInboundIn(data) {
            case .head(let head):
                message = Message(path: "\(head.method) \(head.uri)")
                for (name, value) in head.headers {
                    if let name = HTTPField.Name(name) { message.headers.append(HTTPField(name: name, value: value)) }
                }
            case .body(let buffer): message.body += Array(buffer.readableBytesView)
            case .end:
                let before = receiver.messages.withLock { messages in
                    messages.append(message)
                    return messages.count - 1
                }
                respond(answer(before), context)
            }
        }

        private func respond(_ answer: Answer, _ context: ChannelHandlerContext) {
            switch answer {
            case .status(let code, let location):
                let headers = HTTPHeaders([("content-length", "0")] + (location.map { [("location", $0)] } ?? []))
                start(code, headers, context)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            case .endless:
                start(200, [:], context)
                writeOn(context)
            case .bytes(let text):
                guard let codec = try? context.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
                else { return }
                codec.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
            case .silence: break
            case .close: context.close(promise: nil)
            }
        }

        private func start(_ code: Int, _ headers: HTTPHeaders, _ context: ChannelHandlerContext) {
            let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: code), headers: headers)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
        }

        private func writeOn(_ context: ChannelHandlerContext) {
            let piece = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(repeating: 32, count: 1 << 16)))
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(piece)).whenSuccess { bound.value.0.writeOn(bound.value.1) }
        }
    }
}
