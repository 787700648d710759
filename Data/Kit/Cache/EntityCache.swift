internal import LarderDomain
private import Synchronization

/// Entities by key, each until a commit changes it.
///
/// Answers are consistent with the store. While a commit runs, the entities that it writes are removed and cannot be
/// inserted; an entity that was read before the commit ended is stale and is rejected. A reader never gets an old
/// version after another reader got the new one.
final class EntityCache: Sendable {
    private struct State {
        var entities: BoundedCache<EntityKey, any Sendable>
        /// The number of running commits that write an entity.
        var written: [EntityKey: Int] = [:]
        /// Entities that more than one running commit writes: the order of these commits is unknown.
        var contested: Set<EntityKey> = []
        /// The last commit of an entity, if no other one overlapped with it. For the writer, which asks at once.
        var lastCommits: [EntityKey: CommitID] = [:]
        /// The number of running commits that may write any entity of a schema, by the schema's name.
        var writtenSchemas: [String: Int] = [:]
        var runningCommits = 0
        var epoch: Epoch = 0
        /// The epoch of lives; see ``EntityCache/livesEpoch``.
        var lives: Epoch = 0
        /// The number of running commits that end the life of an id.
        var runningEnds = 0
        var isClosed = false
    }

    /// The cache epoch at the time of a lookup; each commit starts a new epoch when it ends.
    typealias Epoch = UInt64

    private let state: Mutex<State>
    let onLookup: @Sendable (_ isHit: Bool) -> Void

    init(bytes: Int, onLookup: @escaping @Sendable (Bool) -> Void) {
        state = Mutex(State(entities: BoundedCache(bytes: bytes)))
        self.onLookup = onLookup
    }

    /// The current epoch; `nil` while commits run, because their outcome is unknown, and after ``close()``.
    var quietEpoch: Epoch? {
        state.withLock { $0.runningCommits == 0 && !$0.isClosed ? $0.epoch : nil }
    }

    /// The epoch of lives: it differs after each commit that ends the life of an id, whose versions may then be repeated.
    /// `nil` while such commits run, and after ``close()``. Within an epoch, entities of the same id and version are equal.
    var livesEpoch: Epoch? {
        state.withLock { $0.runningEnds == 0 && !$0.isClosed ? $0.lives : nil }
    }

    /// The cached entity with this key, and the current epoch.
    func entity<E: Entity>(_ key: EntityKey, of type: E.Type) -> (found: Stored<E>?, epoch: Epoch) {
        state.withLock { state in ((state.entities.value(for: key) as? Box<E>)?.stored, state.epoch) }
    }

    /// The cached entities with these keys, `nil` for each miss, and their size, in one consistent snapshot; and the
    /// current epoch.
    func entities<E: Entity>(
        _ keys: [EntityKey], of type: E.Type
    ) -> (found: [Stored<E>?], bytes: Int, epoch: Epoch) {
        state.withLock { state in
            var bytes = 0
            let found = keys.map { key -> Stored<E>? in
                guard let box = state.entities.value(for: key) as? Box<E> else { return nil }
                bytes += box.bytes
                return box.stored
            }
            return (found, bytes, state.epoch)
        }
    }

    /// Inserts entities, unless a commit ended since the epoch of the lookup or a running commit writes them.
    ///
    /// - Parameter bytes: The size of each entity.
    func keep<E: Entity>(_ read: [Stored<E>], bytes: [Int], of schema: EntitySchema, readAt epoch: Epoch) {
        state.withLock { state in
            guard state.epoch == epoch, !state.isClosed, state.writtenSchemas[schema.name] == nil else { return }
            for (stored, bytes) in zip(read, bytes) {
                let key = EntityKey(schema, stored.id.rawValue)
                guard state.written[key] == nil else { continue }
                state.entities.keep(Box(stored: stored, bytes: bytes), bytes: bytes, for: key)
            }
        }
    }

    /// Inserts an entity as a commit has stored it, unless another commit has written it meanwhile or writes it now.
    func keep<E: Entity>(_ stored: Stored<E>, bytes: Int, of schema: EntitySchema, committedBy commit: CommitID) {
        let key = EntityKey(schema, stored.id.rawValue)
        state.withLock { state in
            guard state.lastCommits.removeValue(forKey: key) == commit, !state.isClosed,
                state.written[key] == nil, state.writtenSchemas[schema.name] == nil
            else { return }
            state.entities.keep(Box(stored: stored, bytes: bytes), bytes: bytes, for: key)
        }
    }

    /// Removes the entities that a commit writes, before it runs.
    ///
    /// - Parameters:
    ///   - schemas: The names of schemas of which the commit may write any entity.
    ///   - endsLives: Whether the commit deletes entities, or inserts some with versions of their own.
    func begin(_ keys: [EntityKey], _ schemas: Set<String> = [], endsLives: Bool) {
        state.withLock { state in
            state.runningCommits += 1
            if endsLives { state.runningEnds += 1 }
            for schema in schemas { state.writtenSchemas[schema, default: 0] += 1 }
            if !schemas.isEmpty {
                state.entities.removeValues { schemas.contains($0.schema.name) }
                state.lastCommits = state.lastCommits.filter { !schemas.contains($0.key.schema.name) }
                state.contested.formUnion(state.written.keys.filter { schemas.contains($0.schema.name) })
            }
            for key in keys {
                state.entities.removeValue(for: key)
                state.lastCommits[key] = nil
                let others = state.written.updateValue((state.written[key] ?? 0) + 1, forKey: key)
                if others != nil || state.writtenSchemas[key.schema.name] != nil { state.contested.insert(key) }
            }
        }
    }

    /// Ends a commit.
    ///
    /// - Parameter commit: The id of the commit if it was stored; `nil` after an error.
    func end(
        _ keys: [EntityKey], _ schemas: Set<String> = [], endsLives: Bool, storedBy commit: CommitID? = nil
    ) {
        state.withLock { state in
            state.epoch += 1
            if endsLives { (state.lives, state.runningEnds) = (state.lives + 1, state.runningEnds - 1) }
            state.runningCommits -= 1
            if state.lastCommits.count > Self.lastCommitLimit { state.lastCommits = [:] }
            for key in keys {
                let left = (state.written[key] ?? 1) - 1
                state.written[key] = left > 0 ? left : nil
                guard left == 0, state.contested.remove(key) == nil else { continue }
                state.lastCommits[key] = commit
            }
            for schema in schemas {
                let left = (state.writtenSchemas[schema] ?? 1) - 1
                state.writtenSchemas[schema] = left > 0 ? left : nil
            }
        }
    }

    /// The maximum number of remembered commits. Most writers ask for theirs at once; transactions do not.
    private static var lastCommitLimit: Int { 256 }

    /// Removes all entities and rejects further ones.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.entities.removeAll()
        }
    }

    /// Type-erased storage: a cast to `Box<E>` compares two classes.
    private final class Box<E: Entity>: Sendable {
        let stored: Stored<E>
        let bytes: Int

        init(stored: Stored<E>, bytes: Int) { (self.stored, self.bytes) = (stored, bytes) }
    }
}
