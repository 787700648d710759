internal import CookbookDomain
internal import Hummingbird
internal import LarderApp
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
