internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Change sets that wait for the store's thread, which takes all that wait at once, so that they share one sync.
final class SQLiteCommitQueue: Sendable {
    private typealias Continuation = CheckedContinuation<CommitResult, Never>

    private struct State {
        var waiting: [(commit: SQLitePendingCommit, continuation: Continuation)] = []
        /// Whether the thread was asked to come.
        var isDraining = false
    }

    /// The most change sets of one transaction, so that the first does not wait for ever more.
    private static let groupLimit = 128

    private let writer: SQLiteWriter
    private let thread: StoreThread
    private let busyMilliseconds: Int32
    private let state = Mutex(State())

    init(_ writer: SQLiteWriter, thread: StoreThread, busyMilliseconds: Int32) {
        self.writer = writer
        self.thread = thread
        self.busyMilliseconds = busyMilliseconds
    }

    /// How many wait, for tests that bring many together.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Commits a change set with those that wait at the same time.
    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let pending = SQLitePendingCommit(changes)
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

    /// Has the thread checkpoint when it comes to it.
    func checkpointSoon() {
        thread.enqueue { self.writer.checkpoint() }
    }

    private func drain() {
        guard let group = next() else { return }
        let results = writer.commit(group.map(\.commit), busyMilliseconds: busyMilliseconds)
        for (member, result) in zip(group, results) { member.continuation.resume(returning: result) }
        // Those who were answered do not wait for it.
        writer.checkpoint()
        // To the end of the line: the thread has other work too.
        thread.enqueue { self.drain() }
    }

    private func next() -> [(commit: SQLitePendingCommit, continuation: Continuation)]? {
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
