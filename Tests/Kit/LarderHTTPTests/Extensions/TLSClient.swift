import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import NIOPosix
import NIOSSL

/// A client over TLS that trusts one certificate.
struct TLSClient: Sendable {
    let port: Int
    let certificate: NIOSSLCertificate

    /// An HTTP/2 connection.
    struct Connection: Sendable {
        let channel: any Channel
        let streams: NIOHTTP2Handler.AsyncStreamMultiplexer<Void>
    }

    /// The response of one stream.
    struct Answer: Sendable {
        var heads: [HTTPResponse] = []
        var body = ""
        var isComplete = false

        var statuses: [Int] { heads.map(\.status.code) }
    }

    /// The server's bytes over HTTP/1.1, until the connection ends.
    func text(_ request: String) async throws -> String {
        let channel = try await connect("http/1.1") {
            try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: $0)
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: request))
            var text = ""
            for try await buffer in inbound { text += String(buffer: buffer) }
            return text
        }
    }

    /// Uses an HTTP/2 connection, and closes it.
    func withHTTP2<Value>(_ body: (Connection) async throws -> Value) async throws -> Value {
        let connection = try await connect("h2") { channel in
            let streams = try channel.pipeline.syncOperations.configureAsyncHTTP2Pipeline(
                mode: .client, configuration: .init()
            ) { $0.eventLoop.makeSucceededVoidFuture() }
            return Connection(channel: channel, streams: streams)
        }
        defer { connection.channel.close(promise: nil) }
        return try await body(connection)
    }

    private func connect<Value: Sendable>(
        _ name: String, _ setUp: @escaping @Sendable (any Channel) throws -> Value
    ) async throws -> Value {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([certificate])
        configuration.applicationProtocols = [name]
        let context = try NIOSSLContext(configuration: configuration)
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(context: context, serverHostname: "localhost")
                    try channel.pipeline.syncOperations.addHandler(handler)
                    return try setUp(channel)
                }
            }
    }
}

extension TLSClient.Connection {
    /// Sends a request over a new stream.
    ///
    /// - Parameter ends: Whether the body ends; if not, the rest is never sent.
    func send(
        _ method: HTTPRequest.Method = .get, _ path: String, headers: HTTPFields = [:], body: String? = nil,
        ends: Bool = true, whileOpen: @Sendable () async throws -> Void = {}
    ) async throws -> TLSClient.Answer {
        let stream = try await streams.openStream { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(HTTP2FramePayloadToHTTPClientCodec())
                return try NIOAsyncChannel<HTTPResponsePart, HTTPRequestPart>(wrappingChannelSynchronously: channel)
            }
        }
        return try await stream.executeThenClose { inbound, outbound in
            let head = HTTPRequest(
                method: method, scheme: "https", authority: "localhost", path: path, headerFields: headers)
            try await outbound.write(.head(head))
            if let body { try await outbound.write(.body(ByteBuffer(string: body))) }
            if ends { try await outbound.write(.end(nil)) }
            try await whileOpen()
            var answer = TLSClient.Answer()
            for try await part in inbound {
                switch part {
                case .head(let head): answer.heads.append(head)
                case .body(let buffer): answer.body += String(buffer: buffer)
                case .end:
                    answer.isComplete = true
                    return answer
                }
            }
            return answer
        }
    }
}
