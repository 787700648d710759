private import Dispatch

/// Runs an actor's jobs on a serial dispatch queue, outside the cooperative pool.
///
/// `DispatchSerialQueue`, which is itself an executor on Apple's platforms, does not exist on Linux.
final class QueueExecutor: WorkExecutor {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    var isRunningHere: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
