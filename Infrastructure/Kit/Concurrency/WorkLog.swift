internal import LarderData
private import Synchronization

/// Counts where a store's long work runs, for the law that says where it must.
final class WorkLog: Sendable {
    private let counted = Mutex(WorkPlaces())

    /// What ran where so far.
    var places: WorkPlaces { counted.withLock { $0 } }

    /// Counts work that runs now, and ought to run on a thread.
    func note(_ work: LongWork, on thread: StoreThread) {
        let isOnOwnThread = thread.isCurrent
        counted.withLock { $0.note(work, isOnOwnThread: isOnOwnThread) }
    }
}
