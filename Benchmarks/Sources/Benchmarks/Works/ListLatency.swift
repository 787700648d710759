import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// W10: the 99th percentile of the time for a list of 20, while two tasks read all aggregates repeatedly, relative to
/// the same lists without them.
enum ListLatency {
    static let name = "W10 list of 20"

    private static let lists = 1_000
    private static let target = 5.0

    static func run(_ count: Int, passes: Int, in folder: URL) async throws {
        let mappers = try MapperSet([ListedFeastMapper.self, LabelMapper.self])
        let path = folder.appending(path: "lists.sqlite").path
        let store = try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: mappers.schemas)
        try await FileScale.fill(store, count, as: ListedFeastMapper.self)
        let manager = StoreManager(store, mappers: mappers)
        print()
        Report.row(
            "99th percentile during two scans of \(count)", ["µs without", "with: ratio", "target"],
            width: Report.width)
        for (order, sort) in [("by id", []), ("by an indexed column", [Sort(\Feast.name)])] {
            let query = Query<Feast>(sort: sort, limit: 20)
            var (alone, ratios) = ([Double](), [Double]())
            for number in 0...passes {
                let without = try await percentile(query, manager)
                let with = try await duringScans(count, manager) { try await percentile(query, manager) }
                guard number > 0 else { continue }
                alone.append(without)
                ratios.append(with / without)
            }
            Report.print("\(name), \(order)", Spread(alone).median, [Spread(ratios)], target: target)
        }
        await store.close()
    }

    /// Runs some work while two tasks scan, after both have started.
    private static func duringScans(
        _ count: Int, _ manager: StoreManager, _ work: () async throws -> Double
    ) async throws -> Double {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    while !Task.isCancelled {
                        let read = try await manager.read(Query<Feast>()).items.count
                        guard read == count else { throw FloorError(code: 0, message: "a scan read \(read)") }
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(50))
            let result = try await work()
            group.cancelAll()
            // A cancelled scan throws.
            while await group.nextResult() != nil {}
            return result
        }
    }

    /// The 99th percentile of the time for a list, in microseconds.
    private static func percentile(_ query: Query<Feast>, _ manager: StoreManager) async throws -> Double {
        let clock = ContinuousClock()
        var times: [Double] = []
        for _ in 0..<lists {
            let began = clock.now
            let read = try await manager.read(query).items.count
            times.append((clock.now - began).microseconds)
            guard read == 20 else { throw FloorError(code: 0, message: "a list has \(read)") }
        }
        return times.sorted()[times.count * 99 / 100]
    }
}
