import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import LarderApp
@testable import LarderHTTP

@Suite("Outgoing bytes")
struct OutgoingBytesTests {
    private static func buffer(_ count: Int, _ seed: Int) -> ByteBuffer {
        ByteBuffer(bytes: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ seed) })
    }

    @Test func `values that do not fit into memory are in the file, and are read back unchanged`() async throws {
        let bytes = OutgoingBytes(memory: 400_000, file: SpoolFile(limit: 4 << 20))
        let sizes = [0, 1, OutgoingBytes.pieceBytes, 100_000, 100_000, 65_536, 65_537, 200_001]
        var bodies: [OutgoingBody] = []
        for (seed, size) in sizes.enumerated() { bodies.append(try bytes.hold(Self.buffer(size, seed))) }
        #expect(bytes.bytesInMemory == 200_000)
        #expect(bytes.bytesInFile == (1 + 2 + 4) * 65_536)
        for (seed, size) in sizes.enumerated() {
            let collector = PieceSizes()
            var writer: any ResponseBodyWriter = collector
            try await bodies[seed].write(to: &writer)
            #expect(collector.buffer == Self.buffer(size, seed), "\(size)")
            #expect(collector.sizes.allSatisfy { (1...OutgoingBytes.pieceBytes).contains($0) }, "\(size)")
        }
        // Blocks of the file are reused.
        bodies[6].release()
        bodies[6] = try bytes.hold(Self.buffer(130_000, 9))
        #expect(bytes.bytesInFile == (1 + 2 + 4) * 65_536)
        let collector = PieceSizes()
        var writer: any ResponseBodyWriter = collector
        try await bodies[6].write(to: &writer)
        #expect(collector.buffer == Self.buffer(130_000, 9))
        bodies = []
        #expect(bytes.bytesInMemory == 0)
        #expect(bytes.bytesInFile == 0)
    }

    @Test func `when the file is full too, it is refused and nothing is kept`() throws {
        let bytes = OutgoingBytes(memory: 0, file: SpoolFile(limit: 800_000))
        let held = try bytes.hold(Self.buffer(130_000, 0))
        #expect(throws: SpoolError.noSpace(.anonymous)) { try bytes.hold(Self.buffer(100_000, 1)) }
        #expect(bytes.bytesInFile == 131_072)
        held.release()
        held.release()
        #expect(bytes.bytesInFile == 0)
        _ = try bytes.hold(Self.buffer(100_000, 1))
    }

    @Test func `unread responses of one caller leave space to others, and to bodies of all`() throws {
        let file = SpoolFile(limit: 16 << 20)
        let bytes = OutgoingBytes(memory: 0, file: file)
        var held: [OutgoingBody] = []
        func fill(for caller: String?) {
            while let body = try? bytes.hold(Self.buffer(500_000, 0), for: caller) { held.append(body) }
        }
        fill(for: nil)
        #expect(throws: SpoolError.noSpace(.anonymous)) { try bytes.hold(Self.buffer(500_000, 0), for: nil) }
        fill(for: "ann")
        #expect(throws: SpoolError.noSpace(.caller)) { try bytes.hold(Self.buffer(500_000, 0), for: "ann") }
        held.append(try bytes.hold(Self.buffer(500_000, 0), for: "bob"))
        fill(for: "bob")
        #expect(throws: SpoolError.noSpace(.process)) { try bytes.hold(Self.buffer(500_000, 0), for: "eve") }
        var body = Spool(limit: 1 << 20, in: file, caller: "ann")
        try body.append(Array(repeating: 7, count: 200_000))
        #expect(try body.bytes() == Array(repeating: 7, count: 200_000))
        #expect(file.usedBytes(for: .bodies) == 3 * 65_536)
        held = []
        #expect(file.usedBytes(for: .responses) == 0)
    }

    @Test func `large bodies are held by a bound, others are let through, and there is 503 when there is no room`()
        async throws
    {
        let bytes = OutgoingBytes(memory: 200_000, file: SpoolFile(limit: 4 << 20))
        let router = Router(context: ServerTestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware(realm: "test"))
        router.add(middleware: OutgoingMiddleware(bytes) { _ in nil })
        for size in [OutgoingBytes.pieceBytes, 90_000, 900_000] {
            router.get("\(size)") { _, _ in
                Response(status: .ok, body: ResponseBody(byteBuffer: Self.buffer(size, 3)))
            }
        }
        router.get("stream") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    try await writer.write(Self.buffer(50_000, 1))
                    try await writer.finish(nil)
                })
        }
        let responder = router.buildResponder()
        func ask(_ path: String, _ method: HTTPRequest.Method = .get) async throws -> Response {
            let head = HTTPRequest(method: method, scheme: "http", authority: "a", path: path)
            return try await responder.respond(
                to: Request(head: head, body: RequestBody(buffer: ByteBuffer())),
                context: ServerTestContext(source: .init(channel: EmbeddedChannel(), logger: Logger(label: "test"))))
        }
        let small = try await ask("/\(OutgoingBytes.pieceBytes)")
        #expect(bytes.bytesInMemory == 0)
        let first = try await ask("/90000")
        #expect(bytes.bytesInMemory == 90_000)
        let second = try await ask("/900000")
        #expect(bytes.bytesInFile == 14 * 65_536)
        let third = try await ask("/900000")
        #expect(third.status == .serviceUnavailable)
        #expect(third.headers[.retryAfter] == "5")
        let head = try await ask("/900000", .head)
        #expect(head.status == .ok && head.headers[.contentLength] == "900000")
        for (response, size) in [(small, OutgoingBytes.pieceBytes), (first, 90_000), (second, 900_000)] {
            let collector = PieceSizes()
            try await response.body.write(collector)
            #expect(collector.buffer == Self.buffer(size, 3))
            #expect(collector.sizes.allSatisfy { $0 <= OutgoingBytes.pieceBytes })
        }
        let stream = PieceSizes()
        try await ask("/stream").body.write(stream)
        #expect(stream.buffer == Self.buffer(50_000, 1))
        #expect(stream.sizes == Array(repeating: 8_192, count: 6) + [848])
    }
}

/// Collects a body, and records the sizes of its pieces.
final class PieceSizes: ResponseBodyWriter, Sendable {
    private let pieces = Mutex<[ByteBuffer]>([])

    var sizes: [Int] { pieces.withLock { $0.map(\.readableBytes) } }
    var buffer: ByteBuffer { pieces.withLock { $0.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) } } }

    func write(_ buffer: ByteBuffer) async throws { pieces.withLock { $0.append(buffer) } }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
