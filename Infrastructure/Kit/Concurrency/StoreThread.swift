/// A thread for long or blocking work of a store: scans, bulk work, syncs, checkpoints, locks.
///
/// The actor guards no state: isolation makes ``run(_:)`` execute on the thread. The other members use only the
/// executor, which is immutable and `Sendable`. So they are nonisolated, and callers do not wait for the thread.
///
/// An awaited call costs 16-33 µs if nothing else keeps the thread awake, so short point reads run in the caller.
package actor StoreThread {
    private nonisolated let executor: any WorkExecutor

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    package init(label: String) {
        self.init(QueueExecutor(label: label))
    }

    init(_ executor: any WorkExecutor) {
        self.executor = executor
    }

    package nonisolated var isCurrent: Bool { executor.isRunningHere }

    /// Runs work on the thread, after all earlier work.
    package func run<Result: Sendable, Failure: Error>(
        _ work: @Sendable () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try work()
    }

    /// Enqueues work after all earlier work, without waiting for it.
    package nonisolated func enqueue(_ work: @escaping @Sendable () -> Void) {
        executor.enqueue(work)
    }
}

/// The executor of a ``StoreThread``: a serial queue, or a substitute in tests, for example one without a thread.
protocol WorkExecutor: SerialExecutor {
    var isRunningHere: Bool { get }

    func enqueue(_ work: @escaping @Sendable () -> Void)
}
