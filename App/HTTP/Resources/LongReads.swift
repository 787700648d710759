internal import LarderData
internal import LarderDomain
private import Synchronization

/// Whether the last complete representation of an entity was long, which is known only after it was made.
final class LongReads: Sendable {
    /// The maximum number of ids; the least recently used ones are forgotten.
    private static let count = 8_192
    private let ids = Mutex(BoundedCache<RawID, Bool>(bytes: count))

    /// `nil` if it is unknown.
    func isLong(_ id: RawID) -> Bool? {
        ids.withLock { $0.value(for: id) }
    }

    func note(_ id: RawID, isLong: Bool) {
        ids.withLock { if $0.value(for: id) != isLong { $0.keep(isLong, bytes: 1, for: id) } }
    }
}
