public import LarderData
internal import LarderDomain
internal import Logging

/// Finds out whether a store reads and writes, without leaving anything in it.
///
/// It reads a root that is not there, and commits the update of one that is not there, which every store refuses with
/// `conflict` after it began to write. What that proves: the store is open and answers; its index can be read; the
/// right to write, with the lock that it takes, can be had within the store's patience; a writing transaction begins,
/// executes a statement and is rolled back. On SQLite that is `BEGIN IMMEDIATE`, an `UPDATE` that finds no row, and
/// `ROLLBACK`; no page and no byte is written.
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

    /// Looks once.
    public func health() async -> StoreHealth {
        // A store without a schema keeps nothing, and has nothing to be asked for.
        guard let schema = store.schemas.roots.first else { return .writable }
        let key = EntityKey(schema, RawID(high: .random(in: .min ... .max), low: .random(in: .min ... .max)))
        do {
            _ = try await store.read(key.id, of: schema)
        } catch {
            log(error)
            return .unusable(error.outcome)
        }
        let trouble = await writeTrouble(key)
        if let trouble { log(trouble) }
        switch trouble {
        case nil: return commitTrouble().map { .readOnly($0.reason.outcome) } ?? .writable
        case .unavailable(let trouble) where trouble.reason.leavesReads: return .readOnly(trouble.reason.outcome)
        case .some(let error): return .unusable(error.outcome)
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

    private func log(_ error: PersistencyError) {
        // Whoever probes again and again says when something changes; this is for those who look for the cause.
        Logger.current.debug("store probe", metadata: ["error": "\(error)"])
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
