public import LarderData
public import LarderDomain
internal import Synchronization

/// Fails one of the writes that a use case requests from a manager, or each commit of a store, and reports the effects
/// that remain.
///
/// ```
/// let faults = WriteFaults()
/// let manager = faults.manager(over: StoreManager(faults.store(over: store), mappers: mappers))
/// // The use case and its data use this manager.
/// let report = try await faults.report { try await loans.read().items } of: { try await lend.execute(request) }
/// #expect(report.findings == [])
/// ```
public final class WriteFaults: Sendable {
    /// The error of each planned failure: the disk is full.
    public static let error = PersistencyError.unavailable(Unavailable(.full, "the disk is full"))

    private struct State {
        var writes = 0
        var failingWrite: Int?
        var failsCommits = false
    }

    private let state = Mutex(State())

    /// Creates a plan without failures.
    public init() {}

    /// The number of writes that were requested since the last plan.
    public var writes: Int { state.withLock(\.writes) }

    /// Replaces the plan.
    ///
    /// - Parameters:
    ///   - failingWrite: The number of the write that fails, from 1; `nil` for none.
    ///   - failsCommits: Whether each commit fails.
    public func plan(failingWrite: Int? = nil, failsCommits: Bool = false) {
        state.withLock { $0 = State(failingWrite: failingWrite, failsCommits: failsCommits) }
    }

    /// A manager whose writes fail as planned, in transactions and outside of them.
    public func manager(over base: any PersistencyManager) -> any PersistencyManager {
        FaultyManager(base: base, faults: self)
    }

    /// A store whose commits fail as planned.
    public func store(over base: any Store) -> any Store { FaultyStore(base, self) }

    func willWrite() throws(PersistencyError) {
        let isLast = state.withLock { state in
            state.writes += 1
            return state.writes == state.failingWrite
        }
        if isLast { throw Self.error }
    }

    func willCommit() throws(PersistencyError) {
        if state.withLock(\.failsCommits) { throw Self.error }
    }
}

private struct FaultyManager: ManagerDecorator {
    let base: any PersistencyManager
    let faults: WriteFaults

    func decorating(_ manager: any PersistencyManager) -> any PersistencyManager {
        FaultyManager(base: manager, faults: faults)
    }

    func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        try faults.willWrite()
        return try await base.create(entity)
    }

    func update<E: Entity>(_ entity: E, expecting version: Int64?) async throws(PersistencyError) -> Saved<E> {
        try faults.willWrite()
        return try await base.update(entity, expecting: version)
    }

    func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        try faults.willWrite()
        return try await base.save(entity)
    }

    func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        try faults.willWrite()
        try await base.delete(id, expecting: version)
    }
}

private final class FaultyStore: StoreDecorator {
    let base: any Store
    private let faults: WriteFaults

    init(_ base: any Store, _ faults: WriteFaults) {
        (self.base, self.faults) = (base, faults)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try faults.willCommit()
        return try await base.commit(changes)
    }
}
