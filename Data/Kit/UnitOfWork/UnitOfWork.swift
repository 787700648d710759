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
    nonisolated let store: any Store
    private nonisolated let open = Mutex(true)
    /// Every root that was touched, in the order of touching, so that equal work gives equal change sets.
    var tracked = TrackedRoots()
    /// Whether somebody else changed what the unit rests on, so that only a new one can succeed.
    private(set) var hasLost = false
    /// The nested transactions that run, by number.
    var nested: [Int: NestedChanges] = [:]
    var lastNested = 0
    /// A root that one task changed while another discarded its changes of it.
    var overwritten: EntityKey?
    /// The nested transaction that makes the present write.
    private(set) var writer: Int?
    /// Whether the changes of a transaction were stored at its end.
    private var isCommitted = false
    /// Whether a write is being made, and who waits for the next turn.
    private var isWriting = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    public init(_ store: any Store) {
        self.store = store
    }

    /// Whether the unit can still be used.
    nonisolated var isOpen: Bool { open.withLock { $0 } }

    /// Ends the unit; whoever kept its manager cannot use it any more.
    nonisolated func close() { open.withLock { $0 = false } }

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
        if isWriting { await withCheckedContinuation { waiting.append($0) } }
        isWriting = true
        defer { if waiting.isEmpty { isWriting = false } else { waiting.removeFirst().resume() } }
        if let nested, self.nested[nested] == nil { throw .outsideTransaction("its transaction has ended") }
        writer = nested
        return try await write()
    }

    /// Stores the changes at the end of a transaction, and takes note if somebody else was faster. The unit is used no
    /// more, so what it tracks stays as it is.
    func commit() async throws(PersistencyError) {
        if let overwritten {
            hasLost = true
            let version = tracked.version(of: overwritten)
            throw .conflict(Conflict(overwritten.reference, expected: version, found: version))
        }
        let changes = try checkedChanges()
        guard !changes.isEmpty || !changes.reads.isEmpty else { return }
        do {
            _ = try await store.commit(changes)
            isCommitted = true
        } catch {
            hasLost = isLost(changes, by: error)
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
            hasLost = true
            throw .conflict(Conflict(key.reference, expected: known.base?.version, found: object?.version))
        }
    }
}
