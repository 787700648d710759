/// The error of a request whose client has disconnected, for example in the middle of its body.
///
/// It is not a failure of the service. If the client can still read, it gets a 400.
public struct ClientGone: Error {
    /// Makes the error.
    public init() {}
}
