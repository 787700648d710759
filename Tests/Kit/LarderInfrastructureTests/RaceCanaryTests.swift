import Foundation
import Testing

/// A deliberate data race, which ThreadSanitizer must report. Otherwise, the absence of reports proves nothing.
struct RaceCanaryTests {
    /// Counts without a lock; its Sendable conformance is the defect.
    private final class Counter: @unchecked Sendable {
        var count = 0
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["LARDER_CANARY"] == "race", "LARDER_CANARY=race runs it"))
    func `two tasks that count without a lock are a race`() async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask { for _ in 0..<100_000 { counter.count += 1 } }
            }
        }
        #expect(counter.count > 0)
    }
}
