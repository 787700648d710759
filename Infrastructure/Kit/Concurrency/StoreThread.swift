/// A thread of a store's own for whatever may take long or wait: scans, bulk work, syncs, checkpoints, locks.
///
/// An awaited call costs 16-33 µs when nothing else keeps the thread awake, so short point reads stay with the caller.
actor StoreThread {
    private nonisolated let executor: any WorkExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    init(label: String) {
        self.init(QueueExecutor(label: label))
    }

    init(_ executor: any WorkExecutor) {
        self.executor = executor
    }

    nonisolated var isCurrent: Bool { executor.isRunningHere }

    /// Runs work on the thread, after all that was handed in before.
    func run<Result: Sendable, Failure: Error>(
        _ work: @Sendable () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try work()
    }

    /// Has work run on the thread, after all that was handed in before, and does not wait for it.
    nonisolated func enqueue(_ work: @escaping @Sendable () -> Void) {
        executor.enqueue(work)
    }
}
