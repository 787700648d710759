/// A gate that a test closes: a task that reaches it waits until the test opens it.
public actor Gate {
    private var isOpen = true
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watching: [CheckedContinuation<Void, Never>] = []

    /// Creates an open gate.
    public init() {}

    /// Closes the gate.
    public func close() { isOpen = false }

    /// Opens the gate, and resumes all waiting tasks.
    public func open() {
        isOpen = true
        for continuation in waiting + watching { continuation.resume() }
        (waiting, watching) = ([], [])
    }

    /// Waits while the gate is closed.
    public func pass() async {
        guard !isOpen else { return }
        for continuation in watching { continuation.resume() }
        watching = []
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Returns once this many tasks wait, or the gate is open.
    public func arrival(of count: Int = 1) async {
        while !isOpen, waiting.count < count { await withCheckedContinuation { watching.append($0) } }
    }
}
