public import Hummingbird

/// The context of every request: Hummingbird's, and the id that the log lines of the request share.
public protocol ServiceContext: RequestContext {
    /// The id of the request: the client's, or a generated one.
    var requestID: String { get set }
}
