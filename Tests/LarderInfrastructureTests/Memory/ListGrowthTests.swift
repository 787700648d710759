import Foundation
import LarderData
import LarderDomain
import Synchronization
import Testing

@testable import LarderInfrastructure

/// The CPU time of searches for roots with values of a long list: it is linear in roots plus values, not in their product.
@Suite(.serialized) struct ListGrowthTests {
    private static let schema = EntitySchema(
        name: "thing", columns: [Column(name: "note", type: .integer), Column(name: "code", type: .text)])

    private static func things(_ count: Int) -> [StorageObject] {
        (0..<count).map { number in
            StorageObject(
                schema: schema, id: RawID(high: 1, low: UInt64(number)),
                values: [.integer(Int64(number)), .text("code \(number)")])
        }
    }

    /// Conditions with as many values as there are roots.
    private static let conditions: [(name: String, make: @Sendable (Int) -> Condition)] = [
        ("ids that are there", { .isIn(.id, things($0).map { .id($0.id) }) }),
        ("values of a column without an index", { .isIn(.column(0), things($0).map { $0.values[0] }) }),
        ("texts of which none is there", { .not(.isIn(.column(1), (0..<$0).map { .text("none \($0)") })) }),
        ("one of two lists", { .or([.always(false), .isIn(.column(0), things($0).map { $0.values[0] })]) }),
    ]

    @Test(arguments: conditions.indices)
    func `a search for long lists takes linear time`(_ index: Int) async throws {
        let (name, make) = Self.conditions[index]
        var times: [Double] = []
        for count in [1_000, 4_000] {
            var state = StoreState(schemas: try SchemaSet([Self.schema]))
            for thing in Self.things(count) { try state.restore(thing) }
            let (executor, condition) = (MeteredExecutor(), make(count))
            let scan = TableScan(
                table: try state.table(of: Self.schema), thread: StoreThread(executor), workLog: WorkLog())
            var best = Double.infinity
            for _ in 0..<5 {
                let before = await executor.seconds()
                let found = try await scan.answer(ReadRequest(Self.schema, where: condition)) { $0.id }
                #expect(found.items.count == count)
                let counts = try await scan.counts(CountRequest(Self.schema, where: condition, by: .column(0)))
                #expect(counts.count == count)
                best = min(best, await executor.seconds() - before)
            }
            times.append(best)
        }
        #expect(times[1] <= 6 * times[0], "\(name): \(times)")
    }
}

/// Runs work on the cooperative pool, and adds up the CPU time that it takes.
private final class MeteredExecutor: WorkExecutor {
    private let state = Mutex((total: 0.0, running: 0))

    var isRunningHere: Bool { false }

    /// The time of all work so far, once it has ended: its caller goes on before that.
    func seconds() async -> Double {
        while state.withLock({ $0.running > 0 }) { await Task.yield() }
        return state.withLock { $0.total }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        enqueue { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.running += 1 }
        Task {
            let start = Self.threadSeconds()
            work()
            let end = Self.threadSeconds()
            state.withLock { $0 = ($0.total + end - start, $0.running - 1) }
        }
    }

    private static func threadSeconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
