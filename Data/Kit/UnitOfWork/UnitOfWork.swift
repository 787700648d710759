public import LarderDomain
private import Synchronization

/// Tracks what was read from a store and what is to become of it, and stores the difference as one change set.
///
/// It holds no lock on the store. Each root that it reads keeps the version that it saw; at the end the store judges
/// whether all of them still have it. Reads see the unit's own pending changes.
///
/// ``StoreManager/transaction(_:)`` is the usual way to one. Used directly, it is a context that can be asked for its
/// changes:
///
/// ```swift
/// let unit = UnitOfWork(store)
/// try await unit.save(TagMapper.storageObject(from: tag))
/// if await unit.hasChanges { try await unit.saveIfNeeded() }
/// ```
public actor UnitOfWork {
    /// How far the unit is. A unit that was used directly runs until it is released.
    private enum Phase {
        /// Its changes are planned; the second case after a concurrent commit has invalidated what it has read, so that
        /// only a new unit can succeed.
        case running, stale
        /// The body of its transaction has ended; after the second case too, its changes are not stored.
        case ended, endedStale
        /// The body has ended, and its changes are stored.
        case committed
    }

    nonisolated let store: any Store
    /// Not isolated, because a manager asks synchronously whether the unit runs.
    private nonisolated let phase = Mutex(Phase.running)
    /// The writes that wait for their turn; `nil` if none is made.
    private var waiting: [CheckedContinuation<Void, Never>]?
    /// The nested transaction that makes the present write.
    private(set) var writer: Int?
    /// Every root that was touched, in the order of touching, so that equal work gives equal change sets.
    var tracked = TrackedRoots()
    /// The nested transactions that run, by number.
    var nested: [Int: NestedChanges] = [:]
    var lastNested = 0
    /// A root that one task changed while another discarded its changes of it.
    var overwritten: EntityKey?

    public init(_ store: any Store) {
        self.store = store
    }

    /// Whether the unit can still be used.
    nonisolated var isOpen: Bool { phase.withLock { $0 == .running || $0 == .stale } }

    /// Whether a concurrent commit has invalidated what the unit has read.
    nonisolated var isStale: Bool { phase.withLock { $0 == .stale || $0 == .endedStale } }

    /// Ends the unit: a manager that still refers to it can no longer use it.
    nonisolated func close() { phase.withLock { $0 = $0 == .stale ? .endedStale : .ended } }

    /// Notes that only a new unit can succeed.
    private func becomeStale() { phase.withLock { $0 = $0 == .running || $0 == .stale ? .stale : .endedStale } }

    /// What would be stored now.
    public var changeSet: ChangeSet { tracked.changeSet }

    /// Whether anything tracked differs from what is stored; changed and changed back does not.
    public var hasChanges: Bool { !changeSet.isEmpty }

    /// Stores the changes as one commit, or nothing if there are none; the unit can be used further on.
    ///
    /// What was only read is judged too, also when nothing is to be written.
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

    /// Makes one write after the other, because each of them awaits: what it rests on must still be so when it is planned
    /// or stored, also where several tasks use the unit.
    ///
    /// - Parameter nested: The nested transaction that writes, which must not have ended.
    func inTurn<Result>(
        _ nested: Int? = nil, _ write: () async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        if waiting == nil { waiting = [] } else { await withCheckedContinuation { waiting?.append($0) } }
        // The turn passes to the next without an end in between, so that nobody comes before it.
        defer { if waiting?.isEmpty == false { waiting?.removeFirst().resume() } else { waiting = nil } }
        if let nested, self.nested[nested] == nil { throw .outsideTransaction("its transaction has ended") }
        writer = nested
        return try await write()
    }

    /// Stores the changes at the end of a transaction, and takes note if somebody else was faster. The unit is used no
    /// more, so what it tracks stays as it is.
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

    /// - Throws: `dangling` for a reference to a root that the unit has deleted, written since: a removal would take it away
    ///   without an error.
    private func checkedChanges() throws(PersistencyError) -> ChangeSet {
        if let dangling = tracked.dangling { throw .dangling(dangling) }
        return changeSet
    }

    /// The version that a root was read at, or has since the end of the transaction; 1 for what the unit creates.
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

    /// Refuses work after the end.
    nonisolated func checkOpen() throws(PersistencyError) {
        guard isOpen else { throw .outsideTransaction("its transaction has ended") }
    }

    /// Takes note of a root as the store has it, unless it is tracked already.
    ///
    /// - Throws: `conflict` when it is tracked at another version: the unit would see two states at once.
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
