import CookbookDomain
import Foundation
import HTTPTypes
import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import LarderTesting
import NIOCore
import Synchronization
import Testing

@testable import CookbookApp

struct ExportRouteTests {
    /// More recipes than fit on a page, with all optional properties.
    private static let lines = (0..<450).map { number in
        #"{"@type":"Recipe","identifier":"r\#(number)","name":"Crêpe \#(number)","keywords":["a","b\#(number % 7)"],"#
            + #""prepTime":"PT\#(number % 90)M","recipeIngredient":["Egg"],"recipeInstructions":["Fry / \"turn\""]}"#
    }

    private func filled(_ settings: StoreSettings = StoreSettings(location: .memory)) async throws -> CookbookHarness {
        let http = try await CookbookHarness(settings)
        try await fill(http, with: Self.lines.joined(separator: "\n"))
        return http
    }

    private func fill(_ http: CookbookHarness, with text: String) async throws {
        let token = try await http.user("ada@example.org", .admin)
        let reply = try await HTTPReply(try await http.upload([Array(text.utf8)], token: token))
        #expect(reply.lines.last == #"{"inserted":450,"updated":0,"unchanged":0,"failed":0}"#)
    }

    @Test func `the route returns the same bytes as the command`() async throws {
        let larder = try LarderProcess()
        let path = larder.folder.path + "/cookbook.sqlite"
        let http = try await filled(StoreSettings(location: .sqlite(path: path)))
        let all = try await http.send(.get, "/v1/export")
        let some = try await http.send(.get, "/v1/export?name=10")
        await http.store.close()
        #expect(all.status == .ok)
        #expect(all.headers[.contentType] == "application/x-ndjson")
        #expect(try larder("export", "--store", "sqlite:\(path)").output == all.text)
        #expect(try larder("export", "--store", "sqlite:\(path)", "--name", "10").output == some.text)
        #expect(all.lines.count == 450)
        // Recipes 10, 100 to 109, 110, 210, 310, 410.
        #expect(some.lines.count == 15)
    }

    @Test func `an export is unchanged after a reimport`() async throws {
        let first = try await filled().send(.get, "/v1/export")
        let other = try await CookbookHarness()
        try await fill(other, with: first.text)
        #expect(try await other.send(.get, "/v1/export").bytes == first.bytes)
    }

    @Test func `an empty export is no lines`() async throws {
        let reply = try await CookbookHarness().send(.get, "/v1/export")
        #expect(reply.status == .ok)
        #expect(reply.bytes.isEmpty)
    }

    @Test func `an unreadable store is reported as a problem`() async throws {
        let http = try await filled()
        await http.store.close()
        let reply = try await http.send(.get, "/v1/export")
        #expect(reply.status == .serviceUnavailable)
        #expect(reply.headers[.contentType] == "application/problem+json")
    }

    @Test func `a store failure during the export aborts the response`() async throws {
        let http = try await filled()
        let response = try await http.response(to: Self.request)
        await http.store.close()
        let collector = BodyCollector(events: nil)
        let error = await #expect(throws: PersistencyError.self) { try await response.body.write(collector) }
        #expect(error?.kind == "unavailable")
        #expect(collector.bytes.count { $0 == UInt8(ascii: "\n") } == 8)
    }

    @Test func `HEAD reads no stored data, and refuses what GET refuses`() async throws {
        let script = MemoryStore.Script()
        let http = try await CookbookHarness(script)
        try await fill(http, with: Self.lines.joined(separator: "\n"))
        let before = script.calls.count
        let head = try await http.send(.head, "/v1/export")
        #expect(head.status == .ok)
        #expect(head.headers[.contentType] == "application/x-ndjson")
        #expect(head.bytes.isEmpty)
        #expect(script.calls.count == before)
        #expect(try await http.send(.head, "/v1/export?under=x").status == .badRequest)
    }

    @Test func `an export reads eight recipes per query if memory allows`() async throws {
        let script = MemoryStore.Script()
        let http = try await CookbookHarness(script)
        try await fill(http, with: Self.lines.joined(separator: "\n"))
        let queries = { @Sendable in script.calls.count { if case .query = $0 { true } else { false } } }
        let before = queries()
        let response = try await http.response(to: Self.request)
        #expect(queries() == before + 1)
        let pieces = PieceCollector { queries() - before }
        try await response.body.write(pieces)
        #expect(pieces.taken.map(\.lines) == Array(repeating: 8, count: 56) + [2])
        #expect(pieces.taken.map(\.moment) == Array(1...57))
    }

    @Test func `large recipes are sent in pieces, within a memory limit`() async throws {
        let text = String(repeating: "x", count: 9_000)
        let steps = Array(repeating: "\"\(text)\"", count: 8).joined(separator: ",")
        let lines = (0..<3).map {
            #"{"@type":"Recipe","identifier":"r\#($0)","name":"Large \#($0)","recipeInstructions":[\#(steps)]}"#
        }
        let http = try await CookbookHarness()
        let token = try await http.user("ada@example.org", .admin)
        _ = try await http.upload([Array(lines.joined(separator: "\n").utf8)], token: token)
        let pieces = PieceCollector()
        try await http.response(to: Self.request).body.write(pieces)
        #expect(pieces.taken.map(\.lines).reduce(0, +) == 3)
        #expect(pieces.taken.allSatisfy { $0.bytes <= OutgoingBytes.pieceBytes })
        #expect(pieces.taken.map(\.bytes).reduce(0, +) > 200_000)

        let outgoing = http.api.service.outgoing
        do {
            var unread: [Response] = []
            for _ in 1...60 { unread.append(try await http.response(to: Self.request)) }
            #expect(unread.allSatisfy { $0.status == .ok })
            #expect((4 << 20...8 << 20).contains(outgoing.bytesInMemory))
            #expect(outgoing.bytesInFile > 1 << 20)
            let late = BodyCollector()
            try await unread[59].body.write(late)
            #expect(try await http.send(.get, "/v1/export").bytes == late.bytes)
        }
        #expect(outgoing.bytesInMemory == 0)
        #expect(outgoing.bytesInFile == 0)
    }

    private static var request: Request {
        Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/v1/export"),
            body: RequestBody(buffer: ByteBuffer()))
    }
}

/// Records the number of lines and the time of each chunk of a response.
private final class PieceCollector: ResponseBodyWriter, Sendable {
    private let pieces = Mutex<[(lines: Int, bytes: Int, moment: Int)]>([])
    private let moment: @Sendable () -> Int

    init(moment: @escaping @Sendable () -> Int = { 0 }) {
        self.moment = moment
    }

    var taken: [(lines: Int, bytes: Int, moment: Int)] { pieces.withLock(\.self) }

    func write(_ buffer: ByteBuffer) async throws {
        let lines = buffer.readableBytesView.count { $0 == UInt8(ascii: "\n") }
        let piece = (lines: lines, bytes: buffer.readableBytes, moment: moment())
        pieces.withLock { $0.append(piece) }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
