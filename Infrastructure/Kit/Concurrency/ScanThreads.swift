internal import Synchronization

/// The threads on which a store scans. One is reserved for short scans, so that a page of few roots does not wait for
/// scans of all roots.
final class ScanThreads: Sendable {
    private struct State {
        /// The number of running and waiting scans of each thread.
        var loads = [Int](repeating: 0, count: count)
        var longScans = 0
        /// Long scans that wait for ``ScanThreads/resume()``, by number; `nil` while scans are not held back.
        var heldBack: [Int: CheckedContinuation<Void, Never>]?
        /// The number of scans that were held back.
        var numbers = 0
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
            let least = ((isShort ? 0 : 1)..<Self.count).min { state.loads[$0] < state.loads[$1] } ?? 0
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
            state.heldBack = [:]
            if state.longScans > 0 { state.whenDrained = drained }
            return state.longScans == 0
        }
        if isDrained { drained() }
    }

    func resume() {
        let waiting = state.withLock { state in
            defer { state.heldBack = nil }
            state.longScans += state.heldBack?.count ?? 0
            return state.heldBack ?? [:]
        }
        for scan in waiting.values { scan.resume() }
    }

    /// Waits while scans are held back. A cancelled scan begins, because it ends at its first step.
    private func beginLongScan() async {
        let number = state.withLock { state in
            state.numbers += 1
            return state.numbers
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let begins = state.withLock { state in
                    if state.heldBack == nil || Task.isCancelled {
                        state.longScans += 1
                        return true
                    }
                    state.heldBack?[number] = continuation
                    return false
                }
                if begins { continuation.resume() }
            }
        } onCancel: {
            let scan = state.withLock { state in
                let scan = state.heldBack?.removeValue(forKey: number)
                if scan != nil { state.longScans += 1 }
                return scan
            }
            scan?.resume()
        }
    }

    private func endLongScan() {
        let drained = state.withLock { state -> (@Sendable () -> Void)? in
            state.longScans -= 1
            return state.longScans == 0 ? state.whenDrained.take() : nil
        }
        drained?()
    }
}
