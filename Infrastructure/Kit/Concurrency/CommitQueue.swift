internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Change sets that wait for the store's thread, which takes all that wait at once, so that they share one sync.
final class CommitQueue: Sendable {
    private typealias Continuation = CheckedContinuation<CommitResult, Never>

    private struct State {
        var waiting: [(commit: PendingCommit, continuation: Continuation)] = []
        var isDraining = false
    }

    /// The most change sets of one group, so that the first does not wait for ever more.
    private static let groupLimit = 128

    private let thread: StoreThread
    private let commit: @Sendable ([PendingCommit]) -> [CommitResult]
    private let finish: @Sendable () -> Void
    private let state = Mutex(State())

    /// - Parameter finish: The work after a group for which its members do not wait.
    init(
        thread: StoreThread, commit: @escaping @Sendable ([PendingCommit]) -> [CommitResult],
        finish: @escaping @Sendable () -> Void
    ) {
        (self.thread, self.commit, self.finish) = (thread, commit, finish)
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Commits a change set with those that wait at the same time.
    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let pending = PendingCommit(changes)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFirst = state.withLock { state in
                    state.waiting.append((pending, continuation))
                    defer { state.isDraining = true }
                    return !state.isDraining
                }
                if isFirst { thread.enqueue { self.drain() } }
            }
        } onCancel: {
            pending.cancel()
        }
        return try result.get()
    }

    private func drain() {
        guard let group = next() else { return }
        let results = commit(group.map(\.commit))
        for (member, result) in zip(group, results) { member.continuation.resume(returning: result) }
        finish()
        // To the end of the line: the thread has other work too.
        thread.enqueue { self.drain() }
    }

    private func next() -> [(commit: PendingCommit, continuation: Continuation)]? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.isDraining = false
                return nil
            }
            let group = Array(state.waiting.prefix(Self.groupLimit))
            state.waiting.removeFirst(group.count)
            return group
        }
    }
}
