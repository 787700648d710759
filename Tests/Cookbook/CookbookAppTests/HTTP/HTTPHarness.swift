import CookbookData
import CookbookDomain
import HTTPTypes
import Hummingbird
import LarderApp
import LarderData
import LarderDomain
import LarderHTTP
import LarderInfrastructure
import NIOCore

@testable import CookbookApp

/// The service over one store, asked through its router, without a socket.
struct HTTPHarness: Sendable {
    let api: CookbookAPI
    let store: GatedStore
    let clock = TestClock()
    /// Each route as `GET /v1/recipes/{id}`, without `HEAD`, which every one for `GET` takes.
    let routes: [String]
    let feed: RunningFeed
    let responder: RouterResponder<CookbookContext>

    /// The id of each request that does not bring one.
    static let requestID = "the-request"

    /// Starts over a store; the clock stands still, ids and secrets count up.
    init(_ settings: StoreSettings = StoreSettings(location: .memory), readingIsOpen: Bool = true) async throws {
        let store = try await settings.open(try MapperSet(Container.mappers).schemas)
        try await self.init(store, readingIsOpen: readingIsOpen)
    }

    /// Starts over a store in memory that has a script.
    init(_ script: MemoryStore.Script) async throws {
        try await self.init(MemoryStore(try MapperSet(Container.mappers).schemas, script: script))
    }

    private init(_ inner: any Store, readingIsOpen: Bool = true) async throws {
        let mappers = try MapperSet(Container.mappers)
        store = GatedStore(inner)
        var container = Container()
        container.ids = CountingIDs()
        container.now = { [clock] in clock.now }
        let chance = CountingIDs()
        container.random = { chance.next().low &* 0x9E37_79B9_7F4A_7C15 }
        // As the service has it: whatever is read, is read through both caches.
        let cached = CachedStore(store)
        api = container.api(
            over: StoreManager(cached, mappers: mappers), ServerSettings(reading: readingIsOpen ? .open : .closed))
        // On a machine that has much else to do time alone must change no stream.
        var bounds = FeedBounds()
        (bounds.heartbeat, bounds.patience) = (.seconds(3_600), .seconds(3_600))
        feed = RunningFeed(ChangeFeed(of: await store.changes(), boot: "test", bounds: bounds))
        let metrics = PrometheusMetrics()
        let readiness = Readiness(interval: .zero) { [store] in await StoreProbe(store).health() }
        let log = RequestLogMiddleware<CookbookContext>(metrics: metrics) { Self.requestID }
        let router = try api.router(
            feed: feed.feed, readiness: readiness, metrics: metrics,
            outermost: [log, ResponseCacheMiddleware { cached.moment }], watchesClients: false)
        routes = router.routes.filter { $0.method != .head }.map { "\($0.method.rawValue) \($0.path)" }
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
    ///
    /// - Parameter events: After how many events the client leaves a stream of them.
    func send(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, headers: HTTPFields = [:],
        type: String?, bytes: [UInt8]?, events: Int? = nil
    ) async throws -> Reply {
        if events != nil { await feed.catchUp(with: store) }
        var fields = headers
        if let token { fields[.authorization] = "Bearer \(token)" }
        if bytes != nil, let type, fields[.contentType] == nil { fields[.contentType] = type }
        if let bytes { fields[.contentLength] = String(bytes.count) }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: path, headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: bytes ?? [])))
        return try await Reply(try await response(to: request), events: events)
    }

    /// Sends a request while the same is being answered.
    ///
    /// - Returns: What the second is answered; the first is answered, too, after that.
    func sendTwiceAtOnce(_ send: @escaping @Sendable () async throws -> Reply) async throws -> Reply {
        await store.gate.close()
        let first = Task {
            let reply = try? await send()
            await store.gate.open()
            return reply
        }
        await store.gate.arrival()
        let second = try await send()
        await store.gate.open()
        _ = await first.value
        return second
    }

    /// Stores a user with a token, and gives the token.
    func user(_ email: String, _ role: Role) async throws -> String {
        try await register(email, role).token
    }

    /// Stores a user with a token, and gives both.
    func register(_ email: String, _ role: Role) async throws -> (id: EntityID<User>, token: String) {
        let cookbook = api.system
        let user = try await cookbook.registerUser.execute(
            .init(email: email, firstName: "A", lastName: "B", role: role))
        return (user.id, try await api.tokens.issue(to: user.id.rawValue, label: "test").secret.text)
    }
}
