internal import LarderData
internal import LarderDomain
private import Synchronization

/// A decorator that records commits and can run an action just before a commit.
final class RecordingStore: StoreDecorator {
    private struct State {
        var commits: [ChangeSet] = []
        var beforeCommit: (@Sendable (ChangeSet) async throws -> Void)?
    }

    let base: any Store
    private let state = Mutex(State())

    init(_ base: any Store) {
        self.base = base
    }

    /// The change sets that would have written something, in the order of their commits.
    var commits: [ChangeSet] { state.withLock { $0.commits.filter { !$0.isEmpty } } }

    /// Runs an action once, before the next commit. If the action fails, the commit fails.
    func beforeNextCommit(_ action: @escaping @Sendable (ChangeSet) async throws -> Void) {
        state.withLock { $0.beforeCommit = action }
    }

    func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer {
        try base.lendAtOnce(id, of: schema, to: body)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let action = state.withLock { state in
            state.commits.append(changes)
            defer { state.beforeCommit = nil }
            return state.beforeCommit
        }
        do {
            try await action?(changes)
        } catch let error as PersistencyError {
            throw error
        } catch {
            throw .unavailable(Unavailable(.failed, "\(error)", cause: error))
        }
        return try await base.commit(changes)
    }
}

extension Trial {
    /// A store that records commits, with a manager over it.
    func recording() throws -> (store: RecordingStore, manager: any PersistencyManager) {
        let recording = RecordingStore(store)
        return (recording, try Library.manager(over: recording))
    }
}
