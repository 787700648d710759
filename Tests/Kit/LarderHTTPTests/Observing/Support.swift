import HTTPTypes
import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import Logging
import NIOCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Records the lines of a log.
final class LogRecorder: Sendable {
    private let lines = Mutex<[[UInt8]]>([])

    var sink: LogSink { LogSink { line in self.lines.withLock { $0.append(line) } } }

    var text: [String] { lines.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) } }

    /// The lines, parsed.
    func objects() throws -> [LoggedLine] {
        try lines.withLock { $0 }.map { try JSONDecoder().decode(LoggedLine.self, from: Data($0)) }
    }

    func logger(_ level: Logger.Level = .trace) -> Logger {
        Logger(label: "test") { _ in
            JSONLogHandler(label: "test", level: level, sink: self.sink) {
                Timestamp(microseconds: 1_700_000_000_000_250)
            }
        }
    }
}

/// The members of a line that tests check.
struct LoggedLine: Decodable {
    let message: String
    let level: String
    let request_id: String?
    let route: String?
    let method: String?
    let status: Int?
    let bytes: Int?
    let dropped: Int?
    let duration_ms: Double?
    let cut: Bool?
    let operation: String?
    let outcome: String?
    let reason: String?
    let entity: String?
    let error: String?
}

struct TestSource: RequestContextSource {
    let logger: Logger
}

/// A context without a connection.
struct TestContext: ServiceContext {
    typealias Source = TestSource

    var coreContext: CoreRequestContextStorage
    var requestID = ""

    init(source: TestSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}

/// Sends requests to a router, and collects the responses.
struct RouterClient {
    let responder: any HTTPResponder<TestContext>
    let logger: Logger

    init(_ router: Router<TestContext>, logger: Logger) {
        responder = router.buildResponder()
        self.logger = logger
    }

    struct Answer {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: String
    }

    func respond(
        _ path: String, _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:]
    ) async throws -> Response {
        let head = HTTPRequest(method: method, scheme: "http", authority: "test", path: path, headerFields: headers)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        return try await responder.respond(to: request, context: TestContext(source: TestSource(logger: logger)))
    }

    func send(_ path: String, _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:]) async throws -> Answer {
        let response = try await respond(path, method, headers: headers)
        let collected = Collected()
        try await response.body.write(CollectingWriter(collected: collected))
        return Answer(status: response.status, headers: response.headers, body: collected.text)
    }
}

final class Collected: Sendable {
    private let buffer = Mutex(ByteBuffer())

    var text: String { buffer.withLock { String(buffer: $0) } }

    func add(_ more: ByteBuffer) { buffer.withLock { _ = $0.writeImmutableBuffer(more) } }
}

struct CollectingWriter: ResponseBodyWriter {
    let collected: Collected

    @concurrent
    mutating func write(_ buffer: ByteBuffer) async throws { collected.add(buffer) }

    @concurrent
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let instant = Mutex(ContinuousClock.now)

    var now: @Sendable () -> ContinuousClock.Instant { { self.instant.withLock { $0 } } }

    func advance(by duration: Duration) { instant.withLock { $0 += duration } }
}

/// A pantry of jars, for observed stores.
struct Jar: Entity {
    let id: EntityID<Jar>
    var label: String
}

enum JarMapper: EntityMapper {
    static let mapping = Mapping<Jar>("jar", id: \.id, [.column("label", \.label)])

    static func entity(from row: inout ObjectReader) throws -> Jar { try Jar(id: row.id(), label: row.next()) }

    static let ids = UUIDv7Generator()

    static func jar(_ label: String) -> Jar { Jar(id: ids.next(Jar.self), label: label) }

    static func mappers() throws -> MapperSet { try MapperSet([JarMapper.self]) }
}
