/// Where the work of a ``StoreThread`` runs: a thread of its own, unless a test wants to see what happens without one.
protocol WorkExecutor: SerialExecutor {
    /// Whether the caller runs on it.
    var isRunningHere: Bool { get }

    /// Runs work that belongs to no task.
    func enqueue(_ work: @escaping @Sendable () -> Void)
}
