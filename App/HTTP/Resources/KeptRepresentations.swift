internal import LarderApp
internal import LarderData
internal import LarderDomain
private import Synchronization

/// The JSON of representations, so that entities that have not changed are not encoded again.
///
/// The versions of an entity, and of the others that it includes, determine its representation. When the life of an id ends,
/// versions may be repeated, so all representations are dropped.
final class KeptRepresentations: Sendable {
    private struct Key: Hashable {
        let resource: ObjectIdentifier
        let id: RawID
        let version: Int64
        let others: [String]
    }

    private struct State {
        var lives: @Sendable () -> UInt64? = { nil }
        /// The epoch of lives in which the entities were read whose representations are kept.
        var epoch: UInt64 = 0
        var kept: BoundedCache<Key, [UInt8]>
    }

    private let state: Mutex<State>

    /// - Parameter bytes: The maximum size of all.
    init(bytes: Int = 8 << 20) { state = Mutex(State(kept: BoundedCache(bytes: bytes))) }

    /// Begins to keep representations.
    ///
    /// - Parameter lives: See `CachedStore.livesEpoch`.
    func follow(_ lives: @escaping @Sendable () -> UInt64?) { state.withLock { $0.lives = lives } }

    /// The current epoch of lives.
    var epoch: UInt64? { state.withLock(\.lives)() }

    /// The JSON of a representation.
    ///
    /// - Parameter epoch: The epoch of lives before and after the entity and the others were read; `nil` if they differ.
    func json<R: Resource>(
        of stored: Stored<R.Model>, _ representation: Representation, _ resource: R.Type, readIn epoch: UInt64?
    ) -> [UInt8] {
        guard let epoch else { return representation.json.bytes() }
        let key = Key(
            resource: ObjectIdentifier(resource), id: stored.id.rawValue, version: stored.version,
            others: representation.others)
        if let kept = state.withLock({ $0.epoch == epoch ? $0.kept.value(for: key) : nil }) { return kept }
        let json = representation.json.bytes()
        let size = json.count + 64 * representation.others.count + 256
        state.withLock { state in
            if state.epoch < epoch {
                state.epoch = epoch
                state.kept.removeAll()
            }
            if state.epoch == epoch { state.kept.keep(json, bytes: size, for: key) }
        }
        return json
    }
}
