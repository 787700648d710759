public import LarderDomain
private import Synchronization

/// Tracks the roots read from a store and their pending changes, and commits the difference as one change set.
///
/// A unit takes no lock on the store. It records the version of each root that it reads, and the store checks these
/// versions at the commit. Reads include the unit's pending changes.
///
/// ``StoreManager/transaction(_:)`` creates units. Used directly, a unit is a context with a dirty check:
///
/// ```swift
/// let unit = UnitOfWork(store)
/// try await unit.save(TagMapper.storageObject(from: tag))
/// if await unit.hasChanges { try await unit.saveIfNeeded() }
/// ```
public actor UnitOfWork {
    /// The unit's state. A unit that is used without a manager is `running` or `stale` until it is released.
    private enum Phase {
        /// The unit accepts changes. When stale, its reads are invalid, and only a new unit can succeed.
        case running, stale
        /// The transaction's body has ended, and its changes are not stored.
        case ended, endedStale
        /// The transaction's body has ended, and its changes are stored.
        case committed
    }

    nonisolated let store: any Store
    /// Nonisolated, because a manager reads ``isOpen`` synchronously.
    private nonisolated let phase = Mutex(Phase.running)
    /// The queued writes; `nil` while no write runs.
    private var waiting: [CheckedContinuation<Void, Never>]?
    /// The nested transaction of the current write.
    private(set) var writer: Int?
    /// Every root that was read or written, in the order of first use, so that equal work produces equal change sets.
    var tracked = TrackedRoots()
    /// The running nested transactions, by number.
    var nested: [Int: NestedChanges] = [:]
    var lastNested = 0
    /// A root that one task changed while another task discarded its own changes to it.
    var overwritten: EntityKey?

    public init(_ store: any Store) {
        self.store = store
    }

    nonisolated var isOpen: Bool { phase.withLock { $0 == .running || $0 == .stale } }

    /// Whether a concurrent commit, or a discarded nested transaction, has invalidated this unit.
    nonisolated var isStale: Bool { phase.withLock { $0 == .stale || $0 == .endedStale } }

    /// Ends the unit: a manager that still refers to it can no longer use it.
    nonisolated func close() { phase.withLock { $0 = $0 == .stale ? .endedStale : .ended } }

    /// Marks the unit as stale: only a new unit can succeed.
    private func becomeStale() { phase.withLock { $0 = $0 == .running || $0 == .stale ? .stale : .endedStale } }

    /// The pending changes, and the versions of the roots that were only read.
    public var changeSet: ChangeSet { tracked.changeSet }

    /// Whether a tracked root differs from its stored state; a reverted change does not count.
    public var hasChanges: Bool { !changeSet.isEmpty }

    /// Stores the pending changes as one commit, or nothing if there are none. The unit remains usable.
    ///
    /// The store also checks the versions of roots that were only read, even if there are no changes.
    ///
    /// - Returns: Whether anything was written.
    @discardableResult
    public func saveIfNeeded() async throws(PersistencyError) -> Bool {
        try await inTurn { () throws(PersistencyError) in
            let changes = try checkedChanges()
            guard !changes.isEmpty || !changes.reads.isEmpty else { return false }
            _ = try await store.commit(changes)
            tracked.didCommit()
            return !changes.isEmpty
        }
    }

    /// Serializes writes. Each of them awaits, and its reads must still be valid when its changes are planned or
    /// stored, even if several tasks use the unit.
    ///
    /// - Parameter nested: The nested transaction that writes; it must not have ended.
    func inTurn<Result>(
        _ nested: Int? = nil, _ write: () async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        if waiting == nil { waiting = [] } else { await withCheckedContinuation { waiting?.append($0) } }
        // Passes the turn directly to the next write in the queue, so that no later write can overtake it.
        defer { if waiting?.isEmpty == false { waiting?.removeFirst().resume() } else { waiting = nil } }
        if let nested, self.nested[nested] == nil { throw .outsideTransaction("its transaction has ended") }
        writer = nested
        return try await write()
    }

    /// Commits the changes at the end of a transaction; after a concurrent commit, the unit is stale. The unit is not
    /// used afterwards, so the tracked roots keep their state.
    func commit() async throws(PersistencyError) {
        if let overwritten {
            becomeStale()
            let version = tracked.version(of: overwritten)
            throw .conflict(Conflict(overwritten.reference, expected: version, found: version))
        }
        let changes = try checkedChanges()
        guard !changes.isEmpty || !changes.reads.isEmpty else { return }
        do {
            _ = try await store.commit(changes)
            phase.withLock { $0 = .committed }
        } catch {
            if isLost(changes, by: error) { becomeStale() }
            throw error
        }
    }

    /// - Throws: `dangling` for a reference that was written after the unit deleted its target: the planned removal
    ///   would remove it silently.
    private func checkedChanges() throws(PersistencyError) -> ChangeSet {
        if let dangling = tracked.dangling { throw .dangling(dangling) }
        return changeSet
    }

    /// The version at which a root was read, or its new version after the commit; 1 for a root that the unit creates.
    func version(of object: StorageObject) -> Int64 {
        let key = EntityKey(object.schema, object.id)
        let isCommitted = phase.withLock { $0 == .committed }
        return isCommitted ? tracked.versionAfterCommit(of: key) : tracked.version(of: key)
    }

    private func isLost(_ changes: ChangeSet, by error: PersistencyError) -> Bool {
        error.isLoss(
            missed: { reference in
                changes.inserts.contains { object in
                    object.reference == reference
                        && tracked[EntityKey(object.schema, object.id)]?.isBaseKnown == true
                }
            }, deleted: { id in changes.deletes.contains { $0.key.id == id } })
    }

    /// - Throws: `outsideTransaction` after the end of the unit.
    nonisolated func checkOpen() throws(PersistencyError) {
        guard isOpen else { throw .outsideTransaction("its transaction has ended") }
    }

    /// Tracks a root as read from the store, unless it is tracked already.
    ///
    /// - Throws: `conflict` when it is tracked at another version: the unit would mix two states.
    func track(_ key: EntityKey, _ object: StorageObject?) throws(PersistencyError) {
        guard let known = tracked[key] else {
            tracked.begin(key, base: object)
            return
        }
        guard !known.isBaseKnown || known.base?.version == object?.version else {
            becomeStale()
            throw .conflict(Conflict(key.reference, expected: known.base?.version, found: object?.version))
        }
    }
}
