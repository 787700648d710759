import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The figures that grow with the number of rows, and those that must not.
struct Growth {
    let count: Int
    /// Microseconds of a point read.
    let floor: Double
    let kit: Double
    /// Microseconds of a page of twenty: the first, and the last of the first 10,000 existing pages.
    let firstPage: Double
    let deepPage: Double
    /// Megabytes by which the process grew while it read all rows, page by page.
    let exportMegabytes: Double

    static func run(_ counts: [Int], in folder: URL) async throws {
        var all: [Growth] = []
        for count in counts { all.append(try await measure(count, in: folder)) }
        print()
        Report.row("growth", ["C API", "Larder", "page 1", "deep page", "export MB"])
        for growth in all {
            let times = [growth.floor, growth.kit, growth.firstPage, growth.deepPage].map(Report.decimal)
            Report.row("\(growth.count) rows, microseconds", times + [Report.decimal(growth.exportMegabytes)])
        }
        guard let first = all.first, let last = all.last else { return }
        let (kit, floor) = (last.kit / first.kit, last.floor / first.floor)
        Report.row(
            "point reads grew", [Report.decimal(floor), Report.decimal(kit), kit > floor * 1.2 ? "missed" : "kept"])
    }

    private static func measure(_ count: Int, in folder: URL) async throws -> Growth {
        let mappers = try MapperSet([DishMapper.self])
        let path = folder.appending(path: "growth-\(count).sqlite").path
        let store = try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: mappers.schemas)
        for start in stride(from: 0, to: count, by: 5_000) {
            let objects = try (start..<min(start + 5_000, count)).map {
                try DishMapper.storageObject(from: Dish(number: $0))
            }
            _ = try await store.commit(ChangeSet(inserts: objects))
        }
        let repository = DishRepository(manager: StoreManager(store, mappers: mappers))
        let floorDatabase = try FloorDatabase(path: path, isReadOnly: true)
        let (reads, passes) = (10_000, 5)
        var (floor, kit) = ([Double](), [Double]())
        for pass in 0...passes {
            var chance = SplitMix64(state: UInt64(pass))
            let ids = (0..<reads).map { _ in Dish(number: Int(chance.next() % UInt64(count))).id }
            let below = try await Timed.measure { try ids.reduce(0) { $0 + (try floorDatabase.dish($1)?.rating ?? 0) } }
            let above = try await Timed.measure {
                var sum = 0
                for id in ids { sum += try await repository.read(id)?.rating ?? 0 }
                return sum
            }
            guard pass > 0 else { continue }
            floor.append(below.duration.microseconds / Double(reads))
            kit.append(above.duration.microseconds / Double(reads))
        }
        let before = Memory.resident
        var peak = before
        var cursor: Cursor?
        repeat {
            let page = try await repository.read(Query(limit: 1_000, after: cursor))
            cursor = page.next
            peak = max(peak, Memory.resident)
        } while cursor != nil
        let (firstPage, deepPage) = try await pages(repository, count)
        await store.close()
        return Growth(
            count: count, floor: floor.sorted()[passes / 2], kit: kit.sorted()[passes / 2], firstPage: firstPage,
            deepPage: deepPage, exportMegabytes: peak - before)
    }

    private static func pages(_ repository: DishRepository, _ count: Int) async throws -> (Double, Double) {
        var cursor: Cursor?
        for _ in 1..<min(10_000, count / 20) {
            cursor = try await repository.read(Query(limit: 20, after: cursor)).next
        }
        func time(_ cursor: Cursor?) async throws -> Double {
            var times: [Double] = []
            for _ in 0..<200 {
                times.append(
                    try await Timed.measure {
                        try await repository.read(Query(limit: 20, after: cursor)).items.count
                    }.duration.microseconds)
            }
            return times.sorted()[100]
        }
        return (try await time(nil), try await time(cursor))
    }
}
