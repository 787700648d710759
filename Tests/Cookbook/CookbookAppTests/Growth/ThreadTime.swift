import Foundation
import LarderStoreContract

// On Linux this import defines the members of `timespec`, in an optimized build.
#if canImport(CDispatch)
import CDispatch
#endif

/// Compares the CPU times of two pieces of synchronous work. It measures the current thread, so that other work on the
/// machine does not count.
enum ThreadTime {
    /// Whether inputs extend to the limits of their decoders: in an optimized build, and at `LARDER_RUN_SIZE=prove`.
    static let isFull: Bool = {
        #if DEBUG
        RunSize.current == .prove
        #else
        true
        #endif
    }()

    /// A finding if work takes more than `factor` times as long as a reference; `nil` if it does not in the best of up
    /// to twenty rounds. Half a millisecond is ignored: caches and allocations disturb shorter work. A virtual machine
    /// counts time that its host takes away as the thread's, so that a few rounds can all be disturbed.
    static func excess(of work: () -> Void, over factor: Double, times reference: () -> Void) -> String? {
        var (time, bound) = (Double.infinity, Double.infinity)
        for _ in 0..<20 {
            bound = min(bound, seconds(reference))
            time = min(time, seconds(work))
            if time <= bound * factor + 0.0005 { return nil }
        }
        return "\(time) s is \(time / bound) times \(bound) s"
    }

    /// Runs work on a dedicated thread. The work takes seconds, and would block a thread of the cooperative pool for
    /// that time.
    static func apart<Found: Sendable>(_ work: @escaping @Sendable () -> Found) async -> Found {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: work()) }.start()
        }
    }

    private static func seconds(_ work: () -> Void) -> Double {
        let start = now()
        work()
        return now() - start
    }

    private static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
