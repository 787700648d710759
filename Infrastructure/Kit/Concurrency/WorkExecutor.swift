/// The executor of a ``StoreThread``: a serial queue, or a substitute in tests, for example one without a thread.
protocol WorkExecutor: SerialExecutor {
    var isRunningHere: Bool { get }

    func enqueue(_ work: @escaping @Sendable () -> Void)
}
