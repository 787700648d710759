import Dispatch
import Synchronization
@testable import LarderInfrastructureTests

extension Array where Element: Sendable {
    /// Maps each element, on as many threads as there are cores.
    ///
    /// It uses separate threads, because work that never suspends would block the tasks of all other tests.
    func mapOnAllCores<Result: Sendable>(_ compute: @escaping @Sendable (Element) -> Result) async -> [Result] {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let results = Mutex([Result?](repeating: nil, count: count))
                DispatchQueue.concurrentPerform(iterations: count) { place in
                    let result = compute(self[place])
                    results.withLock { $0[place] = result }
                }
                continuation.resume(returning: results.withLock { $0 }.compactMap { $0 })
            }
        }
    }
}
