import CookbookData
import CookbookDomain
import HTTPTypes
import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderInfrastructure
import Logging
import NIOCore
import NIOEmbedded

@testable import CookbookApp

/// The service over one store, asked through its router, without a socket.
struct HTTPHarness {
    let service: CookbookService
    let store: any Store
    let responder: RouterResponder<CookbookContext>
    /// Each route as `GET /v1/recipes/{id}`.
    let routes: [String]

    /// Starts over a store; the clock stands still, and ids count up.
    init(_ settings: StoreSettings = StoreSettings(location: .memory), readingIsOpen: Bool = true) async throws {
        let mappers = try MapperSet(Container.mappers)
        store = try await settings.open(mappers.schemas)
        let now: @Sendable () -> Timestamp = { Timestamp(microseconds: 1_795_000_000_000_000) }
        var container = Container()
        container.ids = CountingIDs()
        container.now = now
        let chance = CountingIDs()
        container.random = { chance.next().low &* 0x9E37_79B9_7F4A_7C15 }
        service = container.service(
            over: StoreManager(store, mappers: mappers), ServerSettings(reading: readingIsOpen ? .open : .closed))
        let feed = ChangeFeed(of: await store.changes(), boot: "test")
        let router = service.router(
            feed: feed, readiness: Readiness { .writable }, metrics: PrometheusMetrics(), watchesClients: false)
        routes = router.routes.map { "\($0.method) \($0.path)" }
        responder = router.buildResponder()
    }

    /// Sends one request.
    func send(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, headers: HTTPFields = [:],
        type: String? = "application/json", body: String? = nil
    ) async throws -> Reply {
        try await send(method, path, token: token, headers: headers, type: type, bytes: body.map { Array($0.utf8) })
    }

    /// Sends one request with bytes.
    func send(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, headers: HTTPFields = [:],
        type: String?, bytes: [UInt8]?
    ) async throws -> Reply {
        var fields = headers
        if let token { fields[.authorization] = "Bearer \(token)" }
        if bytes != nil, let type { fields[.contentType] = type }
        if let bytes { fields[.contentLength] = String(bytes.count) }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: path, headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: bytes ?? [])))
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let context = CookbookContext(source: .init(channel: EmbeddedChannel(), logger: logger))
        let response = try await responder.respond(to: request, context: context)
        let collector = BodyCollector()
        try await response.body.write(collector)
        return Reply(status: response.status, headers: response.headers, bytes: collector.bytes)
    }

    /// Stores a user with a token, and gives the token.
    func user(_ email: String, _ role: Role) async throws -> String {
        let cookbook = service.openCookbook(service.manager, .system, nil)
        let user = try await cookbook.registerUser.execute(
            .init(email: email, firstName: "A", lastName: "B", role: role))
        return try await service.tokens.issue(to: user.id.rawValue, label: "test").secret.text
    }
}

/// What came back.
struct Reply {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    /// The body as JSON; `null` where it is none.
    var json: JSON { (try? JSON(parsing: bytes)) ?? .null }
    var tag: String { headers[.eTag] ?? "" }
    /// The text of a member of the body.
    func string(_ name: String) -> String {
        if case .string(let text)? = json[name] { text } else { "" }
    }
}
