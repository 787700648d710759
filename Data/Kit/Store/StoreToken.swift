/// A position in the sequence of a store's commits, opaque to callers.
///
/// A token is valid for one lifetime of the store; without a journal, until the store is closed. A read can require
/// that its answer includes the commit of a token, see ``ReadConsistency``.
public struct StoreToken: Hashable, Sendable {
    /// Identifies the lifetime of the store.
    public let lifetime: UInt64
    /// The position within the lifetime.
    public let position: Int64

    /// Creates a token; for stores.
    public init(lifetime: UInt64, position: Int64) {
        self.lifetime = lifetime
        self.position = position
    }
}
