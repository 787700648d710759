/// Why a store cannot answer now.
public struct Unavailable: Sendable {
    /// The kind of trouble.
    public enum Reason: Sendable, Hashable {
        /// Another process holds the lock, longer than the configured time.
        case busy
        /// The store was closed.
        case closed
        /// The device or a quota is full.
        case full
        /// The store can be read only.
        case readOnly
        /// A change set is greater than the store takes at once.
        case tooLarge
        /// The device failed, or the data is damaged.
        case failed
    }

    /// The kind of trouble.
    public let reason: Reason
    /// What happened and where, with the message from below.
    public let message: String
    /// The error from below, where there was one.
    public let cause: (any Error)?

    public init(_ reason: Reason, _ message: String, cause: (any Error)? = nil) {
        (self.reason, self.message, self.cause) = (reason, message, cause)
    }
}
