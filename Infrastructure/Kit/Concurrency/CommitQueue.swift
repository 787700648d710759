internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Commits groups on a store's thread.
protocol GroupCommitter: Sendable {
    /// Commits change sets with one sync. Blocks.
    func commit(_ group: [PendingCommit]) -> [CommitResult]

    /// Work after each group, for which the members do not wait.
    func finish()
}

/// Pending change sets, which the store's thread commits in groups that share one sync.
final class CommitQueue: Sendable {
    private typealias Continuation = CheckedContinuation<CommitResult, Never>

    private struct State {
        var waiting: [(commit: PendingCommit, continuation: Continuation)] = []
        var isDraining = false
    }

    /// The maximum size of a group, which bounds the wait of its first member.
    private static let groupLimit = 128

    private let thread: StoreThread
    private let state = Mutex(State())

    init(_ thread: StoreThread) {
        self.thread = thread
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Commits a change set in a group with the other pending ones.
    func commit(
        _ changes: ChangeSet, by committer: some GroupCommitter
    ) async throws(PersistencyError) -> CommitReceipt {
        let pending = PendingCommit(changes)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFirst = state.withLock { state in
                    state.waiting.append((pending, continuation))
                    defer { state.isDraining = true }
                    return !state.isDraining
                }
                if isFirst { thread.enqueue { self.drain(to: committer) } }
            }
        } onCancel: {
            pending.cancel()
        }
        return try result.get()
    }

    private func drain(to committer: some GroupCommitter) {
        let group = state.withLock { state in
            let group = Array(state.waiting.prefix(Self.groupLimit))
            state.waiting.removeFirst(group.count)
            state.isDraining = !group.isEmpty
            return group
        }
        if group.isEmpty { return }
        let results = committer.commit(group.map(\.commit))
        for (member, result) in zip(group, results) { member.continuation.resume(returning: result) }
        committer.finish()
        // Enqueued again, so that other work on the thread can run in between.
        thread.enqueue { self.drain(to: committer) }
    }
}
