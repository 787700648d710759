#if Service
public import HTTPTypes
public import Hummingbird
public import LarderData
public import LarderDomain
public import LarderHTTP
internal import Logging
internal import NIOCore
internal import NIOEmbedded

/// A service over one store, whose router answers requests without a socket.
///
/// ```
/// let http = try await HTTPHarness(MemoryStore(mappers.schemas), mappers: Loans.mappers) { manager, clock in
///     LoansAPI(manager, ids: CountingIDs(), now: { clock.now })
/// }
/// let reply = try await http.send(.get, "/v1/books")
/// ```
public struct HTTPHarness<API: ServiceAPI>: Sendable {
    /// The service's API.
    public let api: API
    /// The store, whose commits a test can delay or let fail.
    public let store: GatedStore
    /// The service's clock.
    public let clock: TestClock
    /// Each route as `GET /v1/books/{id}`, without `HEAD`, which each route for `GET` has.
    public let routes: [String]
    /// The change stream.
    public let feed: RunningFeed
    private let responder: RouterResponder<CallerContext<API.Caller>>

    /// The id of each request that does not have one.
    public static var requestID: String { "the-request" }

    /// Starts a service.
    ///
    /// - Parameters:
    ///   - base: The store below the layers of the service.
    ///   - mappers: The mappers of all entities in the store.
    ///   - hasReplicas: Whether a request may name a position, and a replica of the store then answers.
    ///   - api: Makes the API over the store's manager, with the time of the clock.
    /// - Throws: The errors of the mappers, of `api`, and of the API's pages.
    public init(
        _ base: any Store, mappers: [any EntityMapper.Type], hasReplicas: Bool = false,
        api: (any PersistencyManager, TestClock) async throws -> API
    ) async throws {
        (store, clock) = (GatedStore(base), TestClock())
        // The caches of a service, which each read passes.
        let cached = CachedStore(store)
        let manager = StoreManager(cached, mappers: try MapperSet(mappers))
        self.api = try await api(manager, clock)
        // The passage of time on a busy machine must not change a stream.
        var bounds = FeedBounds()
        (bounds.heartbeat, bounds.patience) = (.seconds(3_600), .seconds(3_600))
        // The same ids of events in each run.
        let start = ChangeToken(lifetime: 0, position: 0)
        feed = RunningFeed(ChangeFeed(of: await store.changes().renamed(start.lifetime), after: start, bounds: bounds))
        let metrics = PrometheusMetrics()
        let readiness = Readiness(interval: .zero) { [store] in await StoreProbe(store).health() }
        let log = RequestLogMiddleware<CallerContext<API.Caller>>(metrics: metrics) { Self.requestID }
        let router = try self.api.router(
            feed: feed.feed, readiness: readiness, metrics: metrics, store: store,
            outermost: [log, ResponseCacheMiddleware { cached.epoch }], replicas: hasReplicas ? manager : nil,
            watchesClients: false)
        routes = router.routes.filter { $0.method != .head }.map { "\($0.method.rawValue) \($0.path)" }
        responder = router.buildResponder()
    }

    /// Sends a request with a text body.
    public func send(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, headers: HTTPFields = [:],
        type: String? = "application/json", body: String? = nil
    ) async throws -> HTTPReply {
        try await send(method, path, token: token, headers: headers, type: type, bytes: body.map { Array($0.utf8) })
    }

    /// Sends a request with the bytes of a body. With `events`, the client disconnects from a stream after this number
    /// of events.
    public func send(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, headers: HTTPFields = [:],
        type: String?, bytes: [UInt8]?, events: Int? = nil
    ) async throws -> HTTPReply {
        if events != nil { try await feed.catchUp(with: store) }
        var fields = headers
        if let token { fields[.authorization] = "Bearer \(token)" }
        if bytes != nil, let type, fields[.contentType] == nil { fields[.contentType] = type }
        if let bytes { fields[.contentLength] = String(bytes.count) }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: path, headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: bytes ?? [])))
        return try await HTTPReply(try await response(to: request), events: events)
    }

    /// Sends a request again before the first one is answered.
    ///
    /// - Returns: The response to the second.
    public func sendTwiceAtOnce(_ send: @escaping @Sendable () async throws -> HTTPReply) async throws -> HTTPReply {
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

    /// The response to a request, before its body is read.
    public func response(to request: Request) async throws -> Response {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let source = ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: logger)
        return try await responder.respond(to: request, context: CallerContext(source: source))
    }
}

extension AsyncStream<ChangeEvent> {
    /// The events, with tokens of another lifetime.
    fileprivate func renamed(_ lifetime: UInt64) -> AsyncStream<ChangeEvent> {
        AsyncStream { continuation in
            let forwarding = Task {
                for await event in self {
                    let token = ChangeToken(lifetime: lifetime, position: event.token.position)
                    switch event {
                    case .commit(let commit):
                        continuation.yield(
                            .commit(
                                CommittedChanges(
                                    token: token, id: commit.id, entries: commit.entries, removals: commit.removals)))
                    case .gap: continuation.yield(.gap(token))
                    }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in forwarding.cancel() }
        }
    }
}
#endif
