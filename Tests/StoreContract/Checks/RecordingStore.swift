internal import LarderData
internal import LarderDomain
private import Synchronization

/// Hands everything on to a store, remembers what is committed, and can do something else just before.
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

    /// The change sets that would have written something, in the order in which they were handed on.
    var commits: [ChangeSet] { state.withLock { $0.commits.filter { !$0.isEmpty } } }

    /// Does something once, before the next commit; the commit fails if that does.
    func beforeNextCommit(_ action: @escaping @Sendable (ChangeSet) async throws -> Void) {
        state.withLock { $0.beforeCommit = action }
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
    /// A store that records what is committed, with a manager over it.
    func recording() throws -> (store: RecordingStore, manager: any PersistencyManager) {
        let recording = RecordingStore(store)
        return (recording, try Library.manager(over: recording))
    }
}
