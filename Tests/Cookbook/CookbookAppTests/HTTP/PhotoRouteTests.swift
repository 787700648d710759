import CookbookDomain
import HTTPTypes
import Hummingbird
import LarderHTTP
import LarderTesting
import NIOCore
import Synchronization
import Testing

@testable import CookbookApp

struct PhotoRouteTests {
    private let http: CookbookHarness
    private let ada: String
    private let path: String

    init() async throws {
        http = try await CookbookHarness()
        ada = try await http.user("ada@example.org", .admin)
        let soup = try await http.send(.post, "/v1/recipes", token: ada, body: #"{"name":"Soup"}"#)
        path = (soup.headers[.location] ?? "") + "/photo"
    }

    private static func picture(_ count: Int) -> [UInt8] {
        Array("GIF89a".utf8) + (0..<count - 6).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    private func put(_ bytes: [UInt8], _ condition: HTTPFields) async throws -> HTTPReply {
        try await http.send(.put, path, token: ada, headers: condition, type: "image/gif", bytes: bytes)
    }

    private var request: Request {
        Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path),
            body: RequestBody(buffer: ByteBuffer()))
    }

    @Test func `repeated requests for a photo share one read, and send it in pieces`()
        async throws
    {
        let bytes = Self.picture(1_000_000)
        #expect(try await put(bytes, [.ifNoneMatch: "*"]).status == .created)
        _ = try await http.response(to: request)
        let reads = http.store.reads
        for _ in 0..<20 {
            let response = try await http.response(to: request)
            #expect(response.headers[.contentLength] == "1000000")
            #expect(response.headers[.contentType] == "image/gif")
            // A body of known length would be in memory as a whole.
            #expect(response.body.contentLength == nil)
            let pieces = Pieces()
            try await response.body.write(pieces)
            #expect(pieces.bytes == bytes)
            #expect(pieces.largest == OutgoingBytes.pieceBytes)
        }
        #expect(http.store.reads == reads)
        let head = try await http.send(.head, path)
        #expect(head.status == .ok && head.bytes.isEmpty && head.headers[.contentLength] == "1000000")
    }

    @Test func `photos that exceed the memory limit are reread, piece by piece`() async throws {
        var responses: [(response: Response, bytes: [UInt8])] = []
        for size in [5 << 20, (5 << 20) - 1, (5 << 20) - 2] {
            let recipe = try await http.send(.post, "/v1/recipes", token: ada, body: #"{"name":"R\#(size)"}"#)
            let path = (recipe.headers[.location] ?? "") + "/photo"
            let reply = try await http.send(
                .put, path, token: ada, headers: [.ifNoneMatch: "*"], type: "image/gif", bytes: Self.picture(size))
            #expect(reply.status == .created)
            let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            responses.append((try await http.response(to: request), Self.picture(size)))
        }
        for (response, bytes) in responses {
            let pieces = Pieces()
            try await response.body.write(pieces)
            #expect(pieces.bytes == bytes)
        }
    }

    @Test func `a response completes with the old photo after the photo is replaced`() async throws {
        #expect(try await put(Self.picture(100_000), [.ifNoneMatch: "*"]).status == .created)
        let response = try await http.response(to: request)
        #expect(try await put(Self.picture(90_000), [.ifMatch: "*"]).status == .noContent)
        // The photo is still in memory.
        let pieces = Pieces()
        try await response.body.write(pieces)
        #expect(pieces.bytes.count == 100_000)
        #expect(try await http.send(.get, path).bytes.count == 90_000)
    }

    @Test(arguments: [
        ("nobody", "*", "image/gif", HTTPResponse.Status.unauthorized),
        ("reader", "*", "image/gif", .forbidden), ("cook", "*", "image/gif", .forbidden),
        ("admin", "\"other\"", "image/gif", .preconditionFailed), ("admin", "", "image/gif", .preconditionRequired),
        ("admin", "*", "text/plain", .unsupportedMediaType),
    ])
    func `an upload that will be refused is refused before its body is read`(
        who: String, match: String, type: String, status: HTTPResponse.Status
    ) async throws {
        #expect(try await put(Self.picture(100), [.ifNoneMatch: "*"]).status == .created)
        let tokens = [
            "admin": ada, "reader": try await http.user("rob@example.org", .reader),
            "cook": try await http.user("cleo@example.org", .cook),
        ]
        var fields: HTTPFields = [.contentType: type]
        if let token = tokens[who] { fields[.authorization] = "Bearer \(token)" }
        if !match.isEmpty { fields[.ifMatch] = match }
        let body = UnreadBody()
        let head = HTTPRequest(method: .put, scheme: "http", authority: "localhost", path: path, headerFields: fields)
        let response = try await http.response(to: Request(head: head, body: RequestBody(asyncSequence: body)))
        #expect(response.status == status)
        #expect(!body.wasRead)
    }

    @Test func `an empty photo is refused before its body is read`() async throws {
        let body = UnreadBody()
        let head = HTTPRequest(
            method: .put, scheme: "http", authority: "localhost",
            path: "/v1/recipes/01900000-0000-7000-8000-0000000000ff/photo",
            headerFields: [.contentType: "image/gif", .authorization: "Bearer \(ada)", .ifMatch: "*"])
        let response = try await http.response(to: Request(head: head, body: RequestBody(asyncSequence: body)))
        #expect(response.status == .notFound)
        #expect(!body.wasRead)
    }
}

/// Collects a body in chunks.
private final class Pieces: ResponseBodyWriter, Sendable {
    private let taken = Mutex<[[UInt8]]>([])

    var bytes: [UInt8] { taken.withLock { $0.reduce(into: []) { $0 += $1 } } }
    var largest: Int { taken.withLock { $0.map(\.count).max() ?? 0 } }

    func write(_ buffer: ByteBuffer) async throws { taken.withLock { $0.append(Array(buffer.readableBytesView)) } }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// An empty body that records whether it was read.
private final class UnreadBody: AsyncSequence, Sendable {
    private let isRead = Mutex(false)
    var wasRead: Bool { isRead.withLock { $0 } }
    func read() { isRead.withLock { $0 = true } }

    struct Iterator: AsyncIteratorProtocol {
        let body: UnreadBody

        mutating func next() async throws -> ByteBuffer? {
            body.read()
            return nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }
}
