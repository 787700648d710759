internal import CookbookDomain
internal import Hummingbird
internal import LarderDomain
internal import LarderHTTP
internal import NIOCore

/// What a request carries on its way to its route.
struct CookbookContext: ServiceContext {
    var coreContext: CoreRequestContextStorage
    var requestID = ""
    /// On whose behalf it is; nobody's until ``AuthenticationMiddleware`` has found out.
    var caller = Caller.anonymous
    /// The user who asks; `nil` for nobody in particular.
    var user: User?
    /// The token that says so, for what lasts longer than a token may.
    var token: String?

    /// What serves the connection.
    let loop: any EventLoop

    init(source: ApplicationRequestContextSource) {
        loop = source.channel.eventLoop
        coreContext = CoreRequestContextStorage(source: source)
    }
}

extension CookbookContext {
    /// The path of the operation that was asked for, the same for each spelling of the request's: without empty segments,
    /// and with ids in lower case. An idempotency key counts for it.
    var canonicalPath: String {
        let segments = (endpointPath ?? "").split(separator: "/").map { segment in
            guard segment.hasPrefix("{") else { return String(segment) }
            let value = parameters.get(String(segment.dropFirst().dropLast())) ?? ""
            return RawID(value)?.description ?? value
        }
        return "/" + segments.joined(separator: "/")
    }
}
