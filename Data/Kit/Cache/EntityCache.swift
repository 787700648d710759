internal import LarderDomain
private import Synchronization

/// Entities as they were read by id, each until a commit changes it.
///
/// What it answers is what the store would answer. From the moment at which a commit is handed to the store until the
/// store has answered, the entities that it writes are not in here and cannot be put in; and what was read before or
/// meanwhile is not taken any more. So nobody is shown an old entity after somebody was shown the new one.
final class EntityCache: Sendable {
    private struct State {
        var entities: BoundedCache<EntityKey, any Sendable>
        /// How many commits that run now write an entity.
        var written: [EntityKey: Int] = [:]
        /// How many commits that run now may write any entity of a schema, by the schema's name.
        var writtenSchemas: [String: Int] = [:]
        var runningCommits = 0
        var moment: Moment = 0
        var isClosed = false
    }

    /// A time at which something was read; two are equal when no commit ended between them.
    typealias Moment = UInt64

    private let state: Mutex<State>
    let onLookup: @Sendable (_ isHit: Bool) -> Void

    init(bytes: Int, onLookup: @escaping @Sendable (Bool) -> Void) {
        state = Mutex(State(entities: BoundedCache(bytes: bytes)))
        self.onLookup = onLookup
    }

    /// The present moment, unless commits run: of those nobody knows whether what they write is there yet.
    var quietMoment: Moment? {
        state.withLock { $0.runningCommits == 0 && !$0.isClosed ? $0.moment : nil }
    }

    /// The entities with these keys as they are together at one moment, `nil` for each that is not cached; and the moment.
    func entities<E: Entity>(_ keys: [EntityKey], of type: E.Type) -> (found: [Stored<E>?], moment: Moment) {
        state.withLock { state in
            (keys.map { (state.entities.value(for: $0) as? Box<E>)?.stored }, state.moment)
        }
    }

    /// Keeps entities unless a commit ended since the moment at which reading them began, or one runs that writes them.
    ///
    /// - Parameter bytes: What each costs.
    func keep<E: Entity>(_ read: [Stored<E>], bytes: [Int], of schema: EntitySchema, readAt moment: Moment) {
        state.withLock { state in
            guard state.moment == moment, !state.isClosed, state.writtenSchemas[schema.name] == nil else { return }
            for (stored, bytes) in zip(read, bytes) {
                let key = EntityKey(schema, stored.id.rawValue)
                if state.written[key] == nil { state.entities.keep(Box(stored: stored), bytes: bytes, for: key) }
            }
        }
    }

    /// Forgets what a commit is about to write.
    ///
    /// - Parameter schemas: The names of the schemas of which it may write any entity.
    func begin(_ keys: [EntityKey], _ schemas: Set<String> = []) {
        state.withLock { state in
            state.runningCommits += 1
            for key in keys {
                state.entities.removeValue(for: key)
                state.written[key, default: 0] += 1
            }
            for schema in schemas { state.writtenSchemas[schema, default: 0] += 1 }
            if !schemas.isEmpty { state.entities.removeValues { schemas.contains($0.schema.name) } }
        }
    }

    /// The commit has ended, whether it stored anything or not.
    func end(_ keys: [EntityKey], _ schemas: Set<String> = []) {
        state.withLock { state in
            state.moment += 1
            state.runningCommits -= 1
            for key in keys {
                let left = (state.written[key] ?? 1) - 1
                state.written[key] = left > 0 ? left : nil
            }
            for schema in schemas {
                let left = (state.writtenSchemas[schema] ?? 1) - 1
                state.writtenSchemas[schema] = left > 0 ? left : nil
            }
        }
    }

    /// Forgets everything for good.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.entities.removeAll()
        }
    }

    /// A cast to it compares two classes.
    private final class Box<E: Entity>: Sendable {
        let stored: Stored<E>

        init(stored: Stored<E>) {
            self.stored = stored
        }
    }
}
