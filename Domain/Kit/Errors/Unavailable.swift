/// The reason why a store cannot answer at present.
public struct Unavailable: Sendable {
    /// The kind of failure.
    public enum Reason: Sendable, Hashable {
        /// Another process has held the lock for longer than the configured timeout.
        case busy
        /// The store was closed.
        case closed
        /// The device or a quota is full.
        case full
        /// The store is read-only.
        case readOnly
        /// A change set exceeds the store's size limit.
        case tooLarge
        /// No connection to the store's server is possible at present.
        case unreachable
        /// The device failed, or the data is corrupt.
        case failed
    }

    /// The kind of failure.
    public let reason: Reason
    /// The failed operation and its context, with the underlying message.
    public let message: String
    /// The underlying error, if any.
    public let cause: (any Error)?

    /// Describes a failure, with the underlying error, if there is one.
    public init(_ reason: Reason, _ message: String, cause: (any Error)? = nil) {
        (self.reason, self.message, self.cause) = (reason, message, cause)
    }
}

extension PersistencyError {
    /// A store after its end.
    package static var closed: PersistencyError { .unavailable(Unavailable(.closed, "the store was closed")) }

    /// A store that was opened for reading.
    package static var readOnly: PersistencyError {
        .unavailable(Unavailable(.readOnly, "the store is open for reading only"))
    }
}
