internal import LarderData
private import Synchronization

/// Counts where a store's long work runs, for the law that says where it must.
final class WorkLog: Sendable {
    private let counted = Mutex(WorkPlaces())
    private let visited = Atomic(0)

    var places: WorkPlaces { counted.withLock { $0 } }

    /// Counts work that runs now, and ought to run on a thread.
    func note(_ work: LongWork, on thread: StoreThread) {
        let isOnOwnThread = thread.isCurrent
        counted.withLock { $0.note(work, isOnOwnThread: isOnOwnThread) }
    }

    var rootsVisited: Int { visited.load(ordering: .relaxed) }

    func noteVisited(_ count: Int) { visited.wrappingAdd(count, ordering: .relaxed) }
}
