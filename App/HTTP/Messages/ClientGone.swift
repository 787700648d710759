/// The error of reading a request's body after the client has disconnected.
///
/// It is not a failure of the service. If the client can still read, it gets a 400.
public struct ClientGone: Error {
    /// Makes the error.
    public init() {}
}
