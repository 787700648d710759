import LarderData
import Synchronization
import Testing

/// The maximum number of statements of each counted piece of a test's work: `@Test(.statements(atMost: 3))`.
///
/// The test selects the counted work with ``counted(on:_:)``, to exclude the filling of a store. A test with a budget
/// that counts nothing fails.
struct StatementBudget: TestTrait, TestScoping {
    let limit: Int

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let meter = StatementMeter()
        try await StatementMeter.$current.withValue(meter) { try await function() }
        let counts = meter.counts.withLock { $0 }
        if counts.isEmpty { Issue.record("a budget of \(limit) statements, and none were counted") }
        for count in counts where count > limit {
            Issue.record("\(count) statements, and the budget is \(limit)")
        }
    }
}

extension Trait where Self == StatementBudget {
    /// A maximum number of statements for each counted piece of work.
    static func statements(atMost limit: Int) -> StatementBudget { StatementBudget(limit: limit) }
}

/// The counts of the running test.
final class StatementMeter: Sendable {
    @TaskLocal static var current: StatementMeter?

    let counts = Mutex<[Int]>([])
}

/// Counts the statements of some work on a store, for the test's budget if it has one.
@discardableResult
func counted(on store: any Store, _ work: () async throws -> Void) async throws -> Int {
    let before = try #require(await store.feature((any MeasuredStore).self)?.measurements().statements)
    try await work()
    let after = try #require(await store.feature((any MeasuredStore).self)?.measurements().statements)
    StatementMeter.current?.counts.withLock { $0.append(after - before) }
    return after - before
}
