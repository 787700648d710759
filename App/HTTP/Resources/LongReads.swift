internal import LarderData
internal import LarderDomain
private import Synchronization

/// The ids of entities whose last complete representation was long, which is known only after it was made.
final class LongReads: Sendable {
    /// The maximum number of ids; the least recently used ones are forgotten.
    private static let count = 8_192
    private let ids = Mutex(BoundedCache<RawID, Bool>(bytes: count))

    func contains(_ id: RawID) -> Bool {
        ids.withLock { $0.value(for: id) ?? false }
    }

    func note(_ id: RawID, isLong: Bool) {
        ids.withLock { if isLong { $0.keep(true, bytes: 1, for: id) } else { $0.removeValue(for: id) } }
    }
}
