package import LarderData
private import Synchronization

/// Counts where a store's long work runs, for the store contract, which requires a thread for it.
package final class WorkLog: Sendable {
    private let counted = Mutex(WorkPlaces())
    private let visited = Atomic(0)

    package init() {}

    package var places: WorkPlaces { counted.withLock { $0 } }

    /// Counts the current work, by whether it runs on the given thread.
    package func note(_ work: LongWork, on thread: StoreThread) {
        let isOnOwnThread = thread.isCurrent
        counted.withLock { $0.note(work, isOnOwnThread: isOnOwnThread) }
    }

    var rootsVisited: Int { visited.load(ordering: .relaxed) }

    func noteVisited(_ count: Int) { visited.wrappingAdd(count, ordering: .relaxed) }
}
