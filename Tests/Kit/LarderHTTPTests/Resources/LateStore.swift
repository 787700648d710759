import LarderData
import LarderDomain
import Synchronization

/// A store whose replica receives the commits when the test says so.
final class LateStore: StoreDecorator {
    let base: any Store
    private let replica: any Store
    private let state = Mutex((waiting: [ChangeSet](), position: Int64(0)))

    init(_ base: any Store, replica: any Store) { (self.base, self.replica) = (base, replica) }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let receipt = try await base.commit(changes)
        state.withLock { $0.waiting.append(changes) }
        return receipt
    }

    /// Sends all commits so far to the replica.
    func replay() async throws {
        let position = try await base.commit(ChangeSet()).token.position
        let waiting = state.withLock { state in
            defer { state = ([], position) }
            return state.waiting
        }
        for changes in waiting { _ = try await replica.commit(changes) }
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        let wanted = request.consistency
        let isLate = wanted.preference == .replica && state.withLock { wanted.token?.position ?? 0 <= $0.position }
        var request = request
        request.consistency = ReadConsistency()
        return try await (isLate ? replica : base).withRows(request, body)
    }
}
