@testable import LarderInfrastructure

/// An executor without a dedicated thread: its work runs on the shared cooperative pool.
final class PoolExecutor: WorkExecutor {
    var isRunningHere: Bool { false }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Task { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        Task { work() }
    }
}
