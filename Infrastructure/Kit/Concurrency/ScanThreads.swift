internal import Synchronization

/// The threads on which a store scans. One is reserved for short scans, so that a page of few roots does not wait for
/// scans of all roots.
final class ScanThreads: Sendable {
    private struct State {
        /// The number of running and waiting scans of each thread.
        var loads = [Int](repeating: 0, count: count)
        var longScans = 0
        /// Long scans that wait for ``ScanThreads/resume()``; `nil` while scans are not held back.
        var heldBack: [CheckedContinuation<Void, Never>]?
        /// Commits that wait until the log has restarted.
        var commits: [CheckedContinuation<Void, Never>] = []
        /// Runs when the last long scan has ended.
        var whenDrained: (@Sendable () -> Void)?
    }

    private static let count = 4

    private let threads: [StoreThread]
    private let state = Mutex(State())

    init(_ makeThread: (_ number: Int) -> StoreThread) {
        threads = (0..<Self.count).map(makeThread)
    }

    /// Runs a scan on the thread with the fewest scans.
    ///
    /// - Parameter isShort: Whether the scan returns few roots. A long one never runs on the first thread.
    func run<Result: Sendable, Failure: Error>(
        isShort: Bool, _ scan: @Sendable (StoreThread) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        if !isShort { await beginLongScan() }
        defer { if !isShort { endLongScan() } }
        let index = state.withLock { state in
            var least = isShort ? 0 : 1
            for index in least..<Self.count where state.loads[index] < state.loads[least] { least = index }
            state.loads[least] += 1
            return least
        }
        defer { state.withLock { $0.loads[index] -= 1 } }
        let thread = threads[index]
        return try await thread.run { () throws(Failure) in try scan(thread) }
    }

    /// Holds new long scans back until ``resume()``.
    ///
    /// - Parameter drained: Runs when no long scan is running: at once, or in the task of the last one. Not called if
    ///   scans are already held back.
    func holdBack(_ drained: @escaping @Sendable () -> Void) {
        let isDrained = state.withLock { state in
            guard state.heldBack == nil else { return false }
            state.heldBack = []
            if state.longScans > 0 { state.whenDrained = drained }
            return state.longScans == 0
        }
        if isDrained { drained() }
    }

    func resume() {
        let waiting = state.withLock { state in
            defer { (state.heldBack, state.commits) = (nil, []) }
            state.longScans += state.heldBack?.count ?? 0
            return (state.heldBack ?? []) + state.commits
        }
        for scan in waiting { scan.resume() }
    }

    /// The number of waiting commits, for tests.
    var waitingCommits: Int { state.withLock { $0.commits.count } }

    /// Waits for ``resume()`` if long scans are held back.
    func waitWhileHeldBack() async {
        await withCheckedContinuation { continuation in
            let isHeldBack = state.withLock { state in
                if state.heldBack != nil { state.commits.append(continuation) }
                return state.heldBack != nil
            }
            if !isHeldBack { continuation.resume() }
        }
    }

    private func beginLongScan() async {
        await withCheckedContinuation { continuation in
            let begins = state.withLock { state in
                if state.heldBack == nil {
                    state.longScans += 1
                    return true
                }
                state.heldBack?.append(continuation)
                return false
            }
            if begins { continuation.resume() }
        }
    }

    private func endLongScan() {
        let drained = state.withLock { state -> (@Sendable () -> Void)? in
            state.longScans -= 1
            guard state.longScans == 0 else { return nil }
            defer { state.whenDrained = nil }
            return state.whenDrained
        }
        drained?()
    }
}
