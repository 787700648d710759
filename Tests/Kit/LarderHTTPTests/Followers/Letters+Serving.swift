import HTTPTypes
import LarderApp
import LarderDomain
import LarderHTTP
import NIOCore
import NIOHTTP1
import NIOPosix

extension Letters {
    /// Serves a store until the body has returned. The body receives the API and the port.
    static func serving(
        _ location: StoreLocation, _ body: @escaping @Sendable (LoansAPI, _ port: Int) async throws -> Void
    ) async throws {
        let settings = ServiceSettings(store: StoreSettings(location: location), server: ServerSettings(port: 0))
        let run = ServiceRun(settings, identity, container, mappers: mappers)
        let (starts, started) = AsyncThrowingStream.makeStream(of: (LoansAPI, Int).self)
        let running = Task {
            do {
                try await run.untilStopped {
                    LoansAPI($0)
                } onServing: {
                    started.yield(($0, $1))
                }
                started.finish()
            } catch {
                started.finish(throwing: error)
            }
        }
        for try await (api, port) in starts.prefix(1) { try await body(api, port) }
        running.cancel()
        await running.value
    }

    /// The status of the response to a POST of a person.
    static func post(_ name: String, to port: Int, _ fields: [String: String]) async throws -> Int? {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let body = ByteBuffer(string: #"{"name":"\#(name)"}"#)
            var headers: HTTPHeaders = [
                "Host": "localhost", "Content-Type": "application/json", "Content-Length": "\(body.readableBytes)",
            ]
            for (name, value) in fields { headers.add(name: name, value: value) }
            let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/v1/persons", headers: headers)
            try await outbound.write(contentsOf: [.head(head), .body(.byteBuffer(body)), .end(nil)])
            for try await part in inbound {
                if case .head(let head) = part { return Int(head.status.code) }
            }
            return nil
        }
    }
}
