import Foundation
import LarderData
import LarderDomain
import Synchronization
import Testing

@testable import LarderInfrastructure

/// The CPU time of queries with a long list of values: linear in roots plus values, not in their product.
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

    /// Conditions with as many values as roots.
    private static let conditions: [(name: String, make: @Sendable (Int) -> Condition)] = [
        ("ids that are there", { .isIn(.id, Set(things($0).map { .id($0.id) })) }),
        ("values of a column without an index", { .isIn(.column(0), Set(things($0).map { $0.values[0] })) }),
        ("texts of which none is there", { .not(.isIn(.column(1), Set((0..<$0).map { .text("none \($0)") }))) }),
        ("one of two lists", { .or([.always(false), .isIn(.column(0), Set(things($0).map { $0.values[0] }))]) }),
    ]

    @Test(arguments: conditions.indices)
    func `a search for long lists takes linear time`(_ index: Int) async throws {
        let (name, make) = Self.conditions[index]
        let searches = try [1_000, 4_000].map { try LongSearch(Self.schema, Self.things($0), make($0)) }
        var best = [Double.infinity, .infinity]
        // Other work on the machine disturbs some rounds, so the test tries up to fifteen.
        for _ in 0..<15 {
            for (place, search) in searches.enumerated() { best[place] = min(best[place], try await search.seconds()) }
            if best[1] <= 6 * best[0] { return }
        }
        Issue.record("\(name): \(best)")
    }
}

/// A query with as many values as roots, and its counts.
private struct LongSearch {
    private let schema: EntitySchema
    private let count: Int
    private let condition: Condition
    private let executor = MeteredExecutor()
    private let scan: TableScan

    init(_ schema: EntitySchema, _ roots: [StorageObject], _ condition: Condition) throws {
        (self.schema, self.condition, count) = (schema, condition, roots.count)
        var state = StoreState(schemas: try SchemaSet([schema]))
        for root in roots { try state.restore(root) }
        scan = TableScan(table: try state.table.table(of: schema), thread: StoreThread(executor), workLog: WorkLog())
    }

    /// The CPU time of the query.
    func seconds() async throws -> Double {
        let before = await executor.seconds()
        let found = Mutex(0)
        _ = try await scan.lend(ReadRequest(schema, where: condition)) { (rows) throws(PersistencyError) in
            while try rows.next() { found.withLock { $0 += 1 } }
        }
        #expect(found.withLock(\.self) == count)
        let counted = CountRequest(schema, where: condition, by: .column(0))
        let counts = try await scan.aggregates(AggregateRequest(counted)).counts
        #expect(counts.count == count)
        return await executor.seconds() - before
    }
}

/// Runs work on the cooperative pool and adds its CPU time to the total.
private final class MeteredExecutor: WorkExecutor {
    private let state = Mutex((total: 0.0, running: 0))

    var isRunningHere: Bool { false }

    /// Waits for all work to end and returns its CPU time. A caller may continue before its work has ended.
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
