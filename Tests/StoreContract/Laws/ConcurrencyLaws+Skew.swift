internal import LarderData
internal import LarderDomain
private import Synchronization

/// Write skew: two transactions read the same objects and write different ones. Neither sees the other's write, and
/// together they would violate a rule that each of them alone respects.
extension ConcurrencyLaws {
    static let skew: [Law] = [
        Law(.concurrency, "Of two doctors on call, one remains: write skew after reads by id is refused") { trial in
            try await expectOneStays(trial) { manager, doctors in try await manager.read(doctors) }
        }.tests("transaction.7"),
        Law(.concurrency, "Of two doctors on call, one remains: write skew after a query is refused") { trial in
            try await expectOneStays(trial) { manager, doctors in
                try await manager.read(Query<Counter>()).items.filter { doctors.contains($0.id) }
            }
        }.tests("transaction.7"),
        Law(.concurrency, "Of two inserts that each expect the other's id to be absent, one succeeds") { trial in
            for _ in 0..<10 {
                let (ids, meeting) = (trial.ids(2, Counter.self), Meeting(of: 2))
                try await trial.both { manager, number in
                    let other = try await manager.read(ids[1 - number])
                    await meeting.wait()
                    if other == nil { try await manager.create(Counter(ids[number], number)) }
                }
                try expect("the number of roots", try await trial.manager.read(ids).count, is: 1)
            }
        }.tests("read.2"),
    ]

    private static func expectOneStays(
        _ trial: Trial,
        _ look: @escaping @Sendable (any PersistencyManager, [EntityID<Counter>]) async throws -> [Stored<Counter>]
    ) async throws {
        for _ in 0..<10 {
            let (doctors, meeting) = (trial.ids(2, Counter.self), Meeting(of: 2))
            for doctor in doctors { try await trial.manager.create(Counter(doctor, 1)) }
            try await trial.both { manager, number in
                let onCall = try await look(manager, doctors).reduce(0) { $0 + $1.count }
                await meeting.wait()
                if onCall > 1 { try await manager.save(Counter(doctors[number], 0)) }
            }
            let left = try await trial.manager.read(doctors).reduce(0) { $0 + $1.count }
            try expect("how many are on call", left, is: 1)
        }
    }
}

extension Trial {
    /// Runs two transactions concurrently.
    fileprivate func both(
        _ body: @escaping @Sendable (any PersistencyManager, _ number: Int) async throws -> Void
    ) async throws {
        let manager = manager
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2 {
                group.addTask { try await manager.transaction { try await body($0, number) } }
            }
            try await group.waitForAll()
        }
    }
}

/// A barrier at which each task waits for the others once; a second attempt passes.
private final class Meeting: Sendable {
    private let missing: Atomic<Int>

    init(of count: Int) {
        missing = Atomic(count)
    }

    func wait() async {
        missing.subtract(1, ordering: .sequentiallyConsistent)
        // Bounded, because a store may run transactions one at a time.
        for _ in 0..<100_000 where missing.load(ordering: .sequentiallyConsistent) > 0 { await Task.yield() }
    }
}
