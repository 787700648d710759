public import LarderData
internal import LarderDomain

/// Finds out whether a store reads and writes, without leaving anything in it.
///
/// It reads a root that is not there, and commits the update of one that is not there, which every store refuses with
/// `conflict` after it began to write. What that proves: the store is open and answers; its index can be read; the
/// right to write, with the lock that it takes, can be had within the store's patience; a writing transaction begins,
/// executes a statement and is rolled back. On SQLite that is `BEGIN IMMEDIATE`, an `UPDATE` that finds no row, and
/// `ROLLBACK`; no page and no byte is written.
///
/// Where the store has files, their paths must still name the files that are open: a file that was deleted or replaced
/// takes commits, and loses them with the process.
///
/// What it does not prove: that there is room on the device, since nothing rolled back reaches it. So what real commits
/// met last is taken into account where it is known.
public struct StoreProbe: Sendable {
    private let store: any Store
    private let commitTrouble: @Sendable () -> Unavailable?

    /// Probes below the observation, so that probes are not counted among the service's operations and conflicts.
    public init(_ observed: ObservedStore) {
        store = observed.base
        commitTrouble = { observed.commitTrouble }
    }

    /// Probes a store; what its commits met is not known.
    public init(_ store: any Store) {
        self.store = store
        commitTrouble = { nil }
    }

    /// What a look at the store has found.
    struct Finding: Sendable {
        let health: StoreHealth
        /// The error that the health is due to, for the log.
        let cause: String?

        init(_ health: StoreHealth, _ cause: PersistencyError? = nil) {
            self.health = health
            self.cause = cause?.description
        }
    }

    /// Looks once.
    public func health() async -> StoreHealth { await look().health }

    /// Looks once, for the log.
    func look() async -> Finding {
        // A store without a schema keeps nothing, and has nothing to be asked for.
        guard let schema = store.schemas.roots.first else { return Finding(.writable) }
        let key = EntityKey(schema, RawID(high: .random(in: .min ... .max), low: .random(in: .min ... .max)))
        do {
            try await store.feature((any FileBackedStore).self)?.checkFiles()
            _ = try await store.read(key.id, of: schema)
        } catch {
            return Finding(.unusable(error.outcome), error)
        }
        let trouble = await writeTrouble(key)
        switch trouble {
        case nil:
            guard let last = commitTrouble() else { return Finding(.writable) }
            return Finding(.readOnly(last.reason.outcome), .unavailable(last))
        case .unavailable(let known) where known.reason.leavesReads:
            return Finding(.readOnly(known.reason.outcome), trouble)
        case .some(let error): return Finding(.unusable(error.outcome), error)
        }
    }

    /// What keeps the store from writing.
    private func writeTrouble(_ key: EntityKey) async -> PersistencyError? {
        do {
            _ = try await store.commit(ChangeSet(updates: [RootUpdate(key, expected: 1, changes: ObjectChanges())]))
        } catch {
            if case .conflict = error { return nil }
            return error
        }
        return nil
    }
}

extension Unavailable.Reason {
    /// Whether a store that cannot write for this reason still reads what it should.
    fileprivate var leavesReads: Bool {
        switch self {
        case .busy, .full, .readOnly, .tooLarge: true
        case .closed, .failed: false
        }
    }
}
