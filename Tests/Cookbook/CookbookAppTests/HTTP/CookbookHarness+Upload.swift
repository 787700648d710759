import HTTPTypes
import Hummingbird
import LarderTesting
import NIOCore

@testable import CookbookApp
import LarderHTTP

extension HTTPHarness<CookbookAPI> {
    /// Sends one request whose body is a stream of chunks, and returns the response before its body is read.
    func upload<Pieces: Sequence<[UInt8]> & Sendable>(
        _ pieces: Pieces, to path: String = "/v1/import", token: String?, headers: HTTPFields = [:],
        type: String? = "application/x-ndjson"
    ) async throws -> Response where Pieces.Iterator: Sendable {
        let buffers = AsyncThrowingStream<ByteBuffer, any Error>(pieces)
        return try await upload(buffers, to: path, token: token, headers: headers, type: type)
    }

    /// Sends one request whose body may end early.
    func upload(
        _ body: AsyncThrowingStream<ByteBuffer, any Error>, to path: String = "/v1/import", token: String?,
        headers: HTTPFields = [:], type: String? = "application/x-ndjson"
    ) async throws -> Response {
        var fields = headers
        if let token { fields[.authorization] = "Bearer \(token)" }
        if let type { fields[.contentType] = type }
        let head = HTTPRequest(
            method: .post, scheme: "http", authority: "localhost", path: path, headerFields: fields)
        return try await response(to: Request(head: head, body: RequestBody(asyncSequence: body)))
    }
}

extension AsyncThrowingStream<ByteBuffer, any Error> {
    /// A stream of chunks, produced on demand.
    init<Pieces: Sequence<[UInt8]> & Sendable>(_ pieces: Pieces) where Pieces.Iterator: Sendable {
        let iterator = Taken(pieces.makeIterator())
        self.init { await iterator.next().map { ByteBuffer(bytes: $0) } }
    }
}

/// Serializes access to the iterator.
private actor Taken<Pieces: IteratorProtocol<[UInt8]> & Sendable> {
    private var pieces: Pieces

    init(_ pieces: Pieces) {
        self.pieces = pieces
    }

    func next() -> [UInt8]? { pieces.next() }
}
