/// A door that a test closes: who comes waits until it is opened.
actor Gate {
    private var isOpen = true
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watching: [CheckedContinuation<Void, Never>] = []

    func close() { isOpen = false }

    /// Opens the door, for those who wait and for whoever watches.
    func open() {
        isOpen = true
        for continuation in waiting + watching { continuation.resume() }
        (waiting, watching) = ([], [])
    }

    func pass() async {
        guard !isOpen else { return }
        for continuation in watching { continuation.resume() }
        watching = []
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Returns once so many wait, or the door is open.
    func arrival(of count: Int = 1) async {
        while !isOpen, waiting.count < count { await withCheckedContinuation { watching.append($0) } }
    }
}
