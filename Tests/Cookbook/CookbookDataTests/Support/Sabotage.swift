import LarderData
import LarderDomain
import Synchronization

/// A planned failure: of one of the writes that a use case requests from a manager, or of the next commit.
final class Sabotage: Sendable {
    static let error = PersistencyError.unavailable(Unavailable(.full, "the disk is full"))

    private struct State {
        var writes = 0
        var failingWrite: Int?
        var failsCommits = false
    }

    private let state = Mutex(State())

    /// The number of writes requested since the failure was planned.
    var writes: Int { state.withLock(\.writes) }

    /// From now on, the n-th write fails, counted from 1; `nil` for none.
    func plan(failingWrite: Int? = nil, failsCommits: Bool = false) {
        state.withLock { $0 = State(failingWrite: failingWrite, failsCommits: failsCommits) }
    }

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

/// A manager whose writes fail as planned, inside and outside transactions.
struct SabotagedManager: PersistencyManager {
    let base: any PersistencyManager
    let sabotage: Sabotage

    var isInTransaction: Bool { base.isInTransaction }

    func create<E: Entity>(_ entity: E) async throws(PersistencyError) -> Stored<E> {
        try sabotage.willWrite()
        return try await base.create(entity)
    }

    func read<E: Entity>(_ ids: [EntityID<E>]) async throws(PersistencyError) -> [Stored<E>] {
        try await base.read(ids)
    }

    func read<E: Entity>(_ query: Query<E>) async throws(PersistencyError) -> QueryPage<E> {
        try await base.read(query)
    }

    func counts<E: Entity, Key: Hashable & Sendable>(
        _ query: Query<E>, by grouping: Grouping<E, Key>
    ) async throws(PersistencyError) -> [Key: Int] {
        try await base.counts(query, by: grouping)
    }

    func update<E: Entity>(_ entity: E, expecting version: Int64?) async throws(PersistencyError) -> Saved<E> {
        try sabotage.willWrite()
        return try await base.update(entity, expecting: version)
    }

    func save<E: Entity>(_ entity: E) async throws(PersistencyError) -> Saved<E> {
        try sabotage.willWrite()
        return try await base.save(entity)
    }

    func delete<E: Entity>(_ id: EntityID<E>, expecting version: Int64?) async throws(PersistencyError) {
        try sabotage.willWrite()
        try await base.delete(id, expecting: version)
    }

    func transaction<Result>(_ body: (any PersistencyManager) async throws -> Result) async throws -> Result {
        try await base.transaction { try await body(SabotagedManager(base: $0, sabotage: sabotage)) }
    }
}

/// A store whose commits fail as planned.
final class SabotagedStore: StoreDecorator {
    let base: any Store
    private let sabotage: Sabotage

    init(_ base: any Store, _ sabotage: Sabotage) {
        (self.base, self.sabotage) = (base, sabotage)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try sabotage.willCommit()
        return try await base.commit(changes)
    }
}
