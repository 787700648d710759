public import Hummingbird
public import LarderDomain
public import NIOCore

/// The context of a request: the request's id, the caller, and the connection's event loop.
public struct CallerContext<Caller: ServiceCaller>: ServiceContext {
    public var coreContext: CoreRequestContextStorage
    public var requestID = ""
    /// The caller; `nil` for an anonymous request, and before ``AuthenticationMiddleware``.
    public var caller: Caller? { didSet { account.key = caller?.key } }
    /// The token that identified the caller. Streams check it again, because a token may expire or be revoked.
    public var token: String?
    /// The only permissions that the token gives; `nil` for all permissions of the caller.
    public var restriction: TokenRestriction?

    /// The manager of a request that a replica may answer; `nil` for that of the service.
    var reader: (any PersistencyManager)?

    /// The caller's key, for middleware outside of the authentication.
    let account = RequestAccount()

    /// The connection, or the stream of HTTP/2.
    let channel: any Channel

    /// The event loop of the connection.
    public var loop: any EventLoop { channel.eventLoop }

    public init(source: ApplicationRequestContextSource) {
        channel = source.channel
        coreContext = CoreRequestContextStorage(source: source)
    }
}

extension CallerContext {
    /// The path of the requested operation, equal for all spellings of the path: without empty segments, and with ids
    /// in lower case. An idempotency key is valid for one such path.
    var canonicalPath: String {
        let segments = (endpointPath ?? "").split(separator: "/").map { segment in
            guard segment.hasPrefix("{") else { return String(segment) }
            let value = parameters.get(String(segment.dropFirst().dropLast())) ?? ""
            return RawID(value)?.description ?? value
        }
        return "/" + segments.joined(separator: "/")
    }

    /// The id in the path.
    ///
    /// - Throws: `Problem` with 404 for a text that is not an id.
    public func id<E: Entity>(_ name: String) throws(Problem) -> EntityID<E> {
        guard let text = parameters.get(name), let id = EntityID<E>(text) else {
            throw Problem(.notFound, "Invalid \(E.entityName) id: use a UUID.")
        }
        return id
    }
}
