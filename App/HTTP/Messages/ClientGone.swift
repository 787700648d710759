/// The client went away in the middle of a request's body: what reading the body throws then.
///
/// It is nobody's failure here. Where the client can still read, it is answered with 400.
public struct ClientGone: Error {
    /// Says that a client went away.
    public init() {}
}
