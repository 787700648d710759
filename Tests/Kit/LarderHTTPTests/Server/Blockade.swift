import Dispatch
import Synchronization

/// Blocks the threads that reach it.
final class Blockade: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let arrivals = Atomic(0)

    /// The number of threads that have arrived.
    var count: Int { arrivals.load(ordering: .acquiring) }

    /// Blocks the calling thread.
    func block() {
        arrivals.add(1, ordering: .releasing)
        semaphore.wait()
    }

    /// Releases a number of threads, present or future.
    func release(_ count: Int) {
        for _ in 0..<count { semaphore.signal() }
    }
}
