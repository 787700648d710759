public import LarderDomain
private import Synchronization

/// Tracks the roots read from a store and their pending changes, and commits the difference as one change set.
///
/// A unit takes no lock on the store. It records the version of each root that it reads, and the store checks these
/// versions at the commit. Reads include the unit's pending changes.
///
/// Of roots that are only read, it keeps the contents of the last ``keptBytes``, and the versions of ``readLimit``.
///
/// ``StoreManager/transaction(_:)`` creates units. Used directly, a unit is a context with a dirty check:
///
/// ```swift
/// let unit = UnitOfWork(store)
/// try await unit.save(TagMapper.storageObject(from: tag))
/// if unit.hasChanges { try await unit.saveIfNeeded() }
/// ```
///
/// It is a class with one lock and not an actor, so that the creation of a root, which reads nothing, needs no change of
/// executor. The lock is never held during an `await`.
public final class UnitOfWork: Sendable {
    struct State {
        let keptBytes: Int
        let readLimit: Int
        /// Whether the transaction's body runs. A unit that is used without a manager remains open.
        var isOpen = true
        /// Whether a concurrent commit, or a discarded nested transaction, has invalidated the reads. Only a new unit can
        /// succeed.
        var isLost = false
        /// The queued writes; `nil` while no write runs.
        var waiting: [CheckedContinuation<Void, Never>]?
        /// The nested transaction of the current write.
        var writer: Int?
        /// Every root that was read or written, in the order of first use, so that equal work produces equal change sets.
        var tracked = TrackedRoots()
        /// The running nested transactions, by number.
        var nested: [Int: NestedChanges] = [:]
        var lastNested = 0
        /// The number of saves and updates without a difference.
        var unchangedSaves = 0
        /// A root that one task changed while another task discarded its own changes to it.
        var overwritten: EntityKey?
    }

    /// The estimated bytes of roots that a unit keeps in memory after it has read them: 16 MiB.
    public static var keptBytes: Int { 16 << 20 }
    /// The maximum number of roots that a unit reads or writes: 1,000,000.
    public static var readLimit: Int { 1_000_000 }

    let store: any Store
    private let state: Mutex<State>

    /// Creates a unit, which tracks nothing at first.
    public convenience init(_ store: any Store) {
        self.init(store, keptBytes: Self.keptBytes, readLimit: Self.readLimit)
    }

    package init(_ store: any Store, keptBytes: Int, readLimit: Int) {
        self.store = store
        state = Mutex(State(keptBytes: keptBytes, readLimit: readLimit))
    }

    /// Accesses the state. Other tasks of the unit cannot change it before the body returns.
    func locked<Result: Sendable, E>(_ body: (inout State) throws(E) -> Result) throws(E) -> Result {
        try state.withLock { (state) throws(E) in try body(&state) }
    }

    /// Accesses the state before the end of the unit.
    ///
    /// - Throws: `outsideTransaction` after it.
    @discardableResult func whileOpen<Result: Sendable>(
        _ body: (inout State) throws(PersistencyError) -> Result
    ) throws(PersistencyError) -> Result {
        try locked { (state) throws(PersistencyError) in
            guard state.isOpen else { throw .outsideTransaction("its transaction has ended") }
            return try body(&state)
        }
    }

    /// A snapshot of the tracked roots.
    var tracked: TrackedRoots { locked { $0.tracked } }

    var isOpen: Bool { locked { $0.isOpen } }

    var isLost: Bool { locked { $0.isLost } }

    /// Ends the unit: a manager that still refers to it can no longer use it.
    func close() { locked { $0.isOpen = false } }

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
            let changes = try tracked.checkedChangeSet()
            guard !changes.isEmpty || !changes.reads.isEmpty else { return false }
            _ = try await store.commit(changes)
            locked { $0.tracked.didCommit() }
            return !changes.isEmpty
        }
    }

    /// Serializes writes. Most of them await, and their reads must still be valid when their changes are planned or
    /// stored, even if several tasks use the unit.
    ///
    /// - Parameter nested: The nested transaction that writes; it must not have ended.
    func inTurn<Result>(
        _ nested: Int? = nil, _ write: () async throws(PersistencyError) -> Result
    ) async throws(PersistencyError) -> Result {
        if !takeTurn(nil) { await withCheckedContinuation { if takeTurn($0) { $0.resume() } } }
        defer { passTurn() }
        try locked { (state) throws(PersistencyError) in try state.beginWrite(in: nested) }
        return try await write()
    }

    /// Returns whether no other write runs; otherwise queues this one.
    private func takeTurn(_ continuation: CheckedContinuation<Void, Never>?) -> Bool {
        locked { state in
            let isFree = state.waiting == nil
            if isFree { state.waiting = [] } else if let continuation { state.waiting?.append(continuation) }
            return isFree
        }
    }

    /// Passes the turn directly to the next write in the queue, so that no later write can overtake it.
    private func passTurn() {
        let next = locked { state in
            if state.waiting?.isEmpty == false { return state.waiting?.removeFirst() }
            state.waiting = nil
            state.dropContents()
            return nil
        }
        next?.resume()
    }

    /// Commits the changes at the end of a transaction; after a concurrent commit, the unit is lost. The unit is not
    /// used afterwards, so the tracked roots keep their state.
    func commit() async throws(PersistencyError) {
        let changes = try locked { (state) throws(PersistencyError) in
            guard let overwritten = state.overwritten else { return try state.tracked.checkedChangeSet() }
            state.isLost = true
            let version = state.tracked[overwritten]?.base?.version
            throw .conflict(Conflict(overwritten.reference, expected: version, found: version))
        }
        guard !changes.isEmpty || !changes.reads.isEmpty else { return }
        do {
            _ = try await store.commit(changes)
        } catch {
            locked { if $0.isLoss(error, of: changes) { $0.isLost = true } }
            throw error
        }
    }

    /// The version that a root will have if its pending state remains.
    func version(of object: StorageObject) -> Int64 { locked { $0.tracked.version(of: object.key) } }
}
