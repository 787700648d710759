import NIOCore
import NIOHTTP1
import NIOPosix

/// A client that reads a stream of events over a separate connection.
struct EventClient {
    private var parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    private var text = ""
    /// Whether the response ended, as opposed to the connection.
    private(set) var isComplete = false

    /// Requests the changes, and closes the connection after the body.
    static func connect(
        to port: Int, _ method: HTTPMethod = .GET, after id: String? = nil, receiveBuffer: Int? = nil,
        _ body: (inout EventClient) async throws -> Void
    ) async throws {
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        if let receiveBuffer {
            let option = ChannelOptions.socketOption(.so_rcvbuf)
            bootstrap = bootstrap.channelOption(option, value: SocketOptionValue(receiveBuffer))
        }
        let channel = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                    wrappingChannelSynchronously: channel)
            }
        }
        try await channel.executeThenClose { inbound, outbound in
            var headers: HTTPHeaders = ["Host": "localhost"]
            if let id { headers.add(name: "Last-Event-ID", value: id) }
            let head = HTTPRequestHead(version: .http1_1, method: method, uri: "/changes", headers: headers)
            try await outbound.write(contentsOf: [.head(head), .end(nil)])
            var client = EventClient(parts: inbound.makeAsyncIterator())
            try await body(&client)
        }
    }

    /// The head of the response; to be read before the events.
    mutating func head() async throws -> HTTPResponseHead? {
        guard case .head(let head)? = try await parts.next(isolation: #isolation) else { return nil }
        return head
    }

    /// The next events, as `change 3` or `heartbeat 7`; fewer if the stream ends for any reason.
    mutating func read(_ count: Int) async throws -> [String] {
        var events: [String] = []
        while events.count < count, let event = try await next() { events.append(event) }
        return events
    }

    private mutating func next() async throws -> String? {
        while true {
            if let blank = text.firstRange(of: "\n\n") {
                let event = text[..<blank.lowerBound]
                text = String(text[blank.upperBound...])
                return Self.summary(of: event)
            }
            switch try await parts.next(isolation: #isolation) {
            case .head: continue
            case .body(let bytes): text += String(buffer: bytes)
            case .end: isComplete = true
            case nil: return nil
            }
        }
    }

    private static func summary(of event: Substring) -> String {
        func field(_ name: String) -> Substring? {
            event.split(separator: "\n").first { $0.hasPrefix(name + ": ") }?.dropFirst(name.count + 2)
        }
        return "\(field("event") ?? "heartbeat") \(field("id")?.split(separator: "-").last ?? "?")"
    }
}
