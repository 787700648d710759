public import Hummingbird

/// What every request of a service carries: Hummingbird's own, and the id that its log lines share.
public protocol ServiceContext: RequestContext {
    /// The id of the request: the client's, or one that was made for it.
    var requestID: String { get set }
}
