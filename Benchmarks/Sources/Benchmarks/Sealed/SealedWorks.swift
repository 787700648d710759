import LarderData
import LarderDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// W13: W1, W2 and W5 with one sealed column, relative to the C API with the same encryption.
struct SealedWorks {
    static let name = "W13 sealed"
    static let key = Array(repeating: 7, count: 32) as [UInt8]
    private static let target = 1.3

    private let dishes: [Dish]
    private let floor, plainFloor: SealedFloorSide
    private let larder, withoutJournal: SealedLarderSide
    private let folder: URL

    static func run(_ count: Int, passes: Int, in folder: URL) async throws {
        let works = try await SealedWorks(count, in: folder)
        var comparisons: [Comparison] = []
        for plan in works.plans { comparisons.append(try await Comparison.run(plan, passes: passes)) }
        print()
        Report.print(comparisons)
        for side in [works.larder, works.withoutJournal] { await side.store.close() }
    }

    init(_ count: Int, in folder: URL) async throws {
        (dishes, self.folder) = ((0..<count).map(Dish.init), folder)
        let path = { (name: String) in folder.appending(path: "sealed-\(name).sqlite").path }
        // The floor uses the tables that Larder creates.
        for name in ["floor", "floor-plain"] { try await SealedLarderSide(path(name)).store.close() }
        floor = try SealedFloorSide(path("floor"), rows: count)
        plainFloor = try SealedFloorSide(path("floor-plain"), rows: count, journals: false)
        larder = try await SealedLarderSide(path("larder"))
        withoutJournal = try await SealedLarderSide(path("without"), journal: nil)
        for side in [floor, plainFloor] { try side.fill(dishes) }
        for side in [larder, withoutJournal] { try await side.fill(dishes) }
    }

    var plans: [Comparison.Plan] {
        let (dishes, updates) = (dishes, part(5_000))
        return [
            plan("bulk insert", dishes.count) { [folder] side, number in
                let path = folder.appending(path: "sealed-bulk.sqlite").path
                defer {
                    for suffix in ["", "-wal", "-shm", ".lock"] {
                        try? FileManager.default.removeItem(atPath: path + suffix)
                    }
                }
                try await SealedLarderSide(path).store.close()
                return try await side.insert(dishes, into: path)
            },
            plan("fetch of \(dishes.count), each dish", dishes.count) { side, _ in try await side.readAll() },
            plan("update with its own commit", updates) { side, number in
                var chance = SplitMix64(state: UInt64(number))
                let numbers = Set((0..<updates).map { _ in Int(chance.next() % UInt64(dishes.count)) })
                return try await side.rate(numbers.sorted().map { dishes[$0].id })
            },
        ]
    }

    private func plan(
        _ work: String, _ operations: Int, _ pass: @escaping @Sendable (any SealedSide, Int) async throws -> Timed
    ) -> Comparison.Plan {
        let sides: [any SealedSide] = [floor, larder, plainFloor, withoutJournal]
        return Comparison.Plan(
            work: "\(Self.name): \(work)", target: Self.target, operations: operations,
            sides: sides.map { side in .init(name: side.name) { try await pass(side, $0) } })
    }
}
