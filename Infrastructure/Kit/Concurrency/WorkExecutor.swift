/// Where the work of a ``StoreThread`` runs: a thread of its own, unless a test wants to see what happens without one.
protocol WorkExecutor: SerialExecutor {
    var isRunningHere: Bool { get }

    func enqueue(_ work: @escaping @Sendable () -> Void)
}
