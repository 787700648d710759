internal import LarderData
internal import LarderDomain
private import Synchronization

/// A decorator that counts the roots that its base reads and records the committed change sets.
final class LendingStore: StoreDecorator {
    let base: any Store
    private let state = Mutex((lent: 0, commits: [ChangeSet]()))

    init(_ base: any Store) {
        self.base = base
    }

    /// The number of roots read.
    var lent: Int { state.withLock { $0.lent } }

    var commits: [ChangeSet] { state.withLock { $0.commits } }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        let found = try await base.read(ids, of: schema)
        state.withLock { $0.lent += found.count }
        try Rows.lend(found, to: body)
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        let page = try await base.read(request)
        state.withLock { $0.lent += page.items.count }
        return try page.lend(to: body)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        state.withLock { $0.commits.append(changes) }
        return try await base.commit(changes)
    }
}
