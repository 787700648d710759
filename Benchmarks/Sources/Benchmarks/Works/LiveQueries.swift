import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The processor time of a live query over 10,000 rows during 1,000 commits per second that do not change its page, and
/// the time until a related commit is visible.
///
/// `make bench ONLY=live` ends with an error if a limit is missed.
enum LiveQueries {
    private static let shareLimit = 5.0
    private static let latencyLimit = 50.0
    private static let passes = 5

    struct Missed: Error { let name: String }

    static func run(_ count: Int, in folder: URL) async throws {
        let mappers = try MapperSet([DishMapper.self, LabelMapper.self])
        let path = folder.appending(path: "live.sqlite").path
        let store = try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        try await manager.create(contentsOf: (0..<count).map { Dish(number: $0) })
        let label = Label(id: EntityID(RawID(high: 1, low: 1)), name: "label 0")
        try await manager.create(label)
        let commitLabel = { @Sendable (number: Int) in
            var changed = label
            changed.name = "label \(Timestamp.now().microseconds)"
            try await manager.save(changed)
        }
        let commitDish = { @Sendable (number: Int) in
            // An odd number is not completed.
            var dish = Dish(number: number * 2 % count + 1)
            dish.summary = "changed \(Timestamp.now().microseconds)"
            try await manager.save(dish)
        }
        let page = Query<Dish>(#Predicate { $0.isCompleted }, sort: [Sort(\.rating, .descending)], limit: 50)
        var counted = page
        counted.includesTotal = true
        print("processor time of a live query of \(count) rows without an index, 1,000 commits per second")
        Report.row("", ["without", "% of a core", "least", "greatest", "limit", "pages"], width: 12)
        var missed: [String] = []
        for (name, query, commit) in [
            ("commits of another entity", page, commitLabel),
            ("commits of entities that do not match", page, commitDish),
            ("the same, with a total", counted, commitDish),
        ] {
            var (base, shares) = ([Double](), [Double]())
            var pages = 0
            for _ in 0..<passes {
                let (alone, _) = try await share(of: nil, manager, commit)
                let (with, heard) = try await share(of: query, manager, commit)
                base.append(alone * 100)
                shares.append((with - alone) * 100)
                pages += heard - 1
            }
            let spread = Spread(shares)
            let isMissed = spread.median > shareLimit || pages > 0
            if isMissed { missed.append(name) }
            Report.row(
                name,
                [Spread(base).median, spread.median, spread.least, spread.greatest, shareLimit].map(Report.decimal) + [
                    "\(pages)"
                ],
                isMissed ? "missed" : "met", width: 12)
        }
        let latencies = try await latencies(page, manager, commitDish)
        print()
        Report.row("ms until a related commit is visible, meanwhile", ["p50", "p99", "worst", "limit"])
        let isMissed = latencies[latencies.count * 99 / 100] > latencyLimit
        if isMissed { missed.append("latency") }
        Report.row(
            "\(latencies.count) commits",
            [latencies[latencies.count / 2], latencies[latencies.count * 99 / 100], latencies.last ?? 0, latencyLimit]
                .map(Report.decimal), isMissed ? "missed" : "met")
        await store.close()
        if let name = missed.first { throw Missed(name: name) }
    }

    /// The processor time of this process, as a share of the time, while it commits, and the number of pages.
    private static func share(
        of query: Query<Dish>?, _ manager: StoreManager, _ commit: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> (share: Double, pages: Int) {
        let following = Task {
            var pages = 0
            guard let query else { return pages }
            for try await _ in try await manager.observe(query) { pages += 1 }
            return pages
        }
        try await Task.sleep(for: .milliseconds(100))
        let (clock, began, used) = (ContinuousClock(), ContinuousClock.now, processorSeconds())
        try await commitSteadily(2_000, commit)
        let share = (processorSeconds() - used) / ((clock.now - began).microseconds / 1e6)
        following.cancel()
        return (share, try await following.value)
    }

    /// The times from the call of a related commit until its page, in milliseconds, sorted.
    private static func latencies(
        _ query: Query<Dish>, _ manager: StoreManager, _ unrelated: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> [Double] {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await commitSteadily(.max, unrelated) }
            var times: [Double] = []
            var (clock, began) = (ContinuousClock(), ContinuousClock.now)
            var first: Dish?
            for try await page in try await manager.observe(query) {
                if first != nil { times.append((clock.now - began).microseconds / 1000) }
                if times.count == 200 { break }
                // Longer than the pause after a read.
                try await Task.sleep(for: .milliseconds(Int.random(in: 200...250)))
                guard var dish = first ?? page.entities.first else { throw Missed(name: "the page is empty") }
                dish.summary = "related \(times.count)"
                began = clock.now
                try await manager.save(dish)
                first = dish
            }
            group.cancelAll()
            while await group.nextResult() != nil {}
            return times.sorted()
        }
    }

    /// Commits a thousand times per second.
    static func commitSteadily(
        _ count: Int, _ commit: @Sendable (Int) async throws -> Void
    ) async throws {
        let start = ContinuousClock.now
        for number in 0..<count {
            try await Task.sleep(until: start + .milliseconds(number), tolerance: .zero, clock: .continuous)
            try await commit(number)
        }
    }

    /// The processor time of this process.
    static func processorSeconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
