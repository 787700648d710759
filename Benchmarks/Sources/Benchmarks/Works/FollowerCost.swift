import LarderData
import LarderDomain
import LarderFollowers
import LarderInfrastructure
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// W22: an update with its own commit, while a follower of another entity runs, relative to the same without a follower.
/// W23: the time from the call of a commit until a follower has handled it, at 1,000 commits per second.
enum FollowerCost {
    static let name = "W22, W23"
    private static let ratioTarget = 1.05
    private static let lagLimit = 100.0

    struct Lost: Error { let count: Int }

    static func run(_ count: Int, passes: Int, in folder: URL) async throws {
        print()
        Report.row("an idle follower", ["without µs", "with: ratio", "target"], width: Report.width)
        try await idle("memory", count, passes) { schemas, _ in MemoryStore(schemas) }
        try await idle("SQLite", count, passes) { schemas, side in
            let path = folder.appending(path: "idle-\(side).sqlite").path
            return try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: schemas)
        }
        print()
        Report.row("ms until a follower has handled a commit", ["p50", "p99", "worst", "p99 limit"])
        try await lag("with a call", in: folder) { lags in
            .calling("lag", changesOf: [Dish.entityName]) { changes, _ in lags.handle(changes) }
        }
        try await lag("with a change in the store", in: folder) { lags in
            .storing("lag", changesOf: [Dish.entityName]) { changes, unit in
                lags.handle(changes)
                try await unit.save(Label(id: label, name: "followed to \(changes.token.position)"))
            }
        }
    }

    private static let label = EntityID<Label>(RawID(high: 1, low: 1))

    private static func mappers() throws -> MapperSet {
        try MapperSet([DishMapper.self, LabelMapper.self] + Followers.mappers)
    }

    private static func idle(
        _ store: String, _ count: Int, _ passes: Int, open: (SchemaSet, _ side: String) async throws -> any Store
    ) async throws {
        let mappers = try mappers()
        let stores = [try await open(mappers.schemas, "without"), try await open(mappers.schemas, "with")]
        let managers = stores.map { StoreManager($0, mappers: mappers) }
        for manager in managers { try await manager.create(contentsOf: (0..<count).map { Dish(number: $0) }) }
        let followers = try Followers(
            [.calling("idle", changesOf: [Label.entityName]) { _, _ in }], store: stores[1], manager: managers[1])
        let following = Task { try await followers.run() }
        try await Task.sleep(for: .milliseconds(500))
        var (times, used) = ([[Double]](repeating: [], count: 2), [[Double]](repeating: [], count: 2))
        for pass in 0...passes {
            for side in pass.isMultiple(of: 2) ? [0, 1] : [1, 0] {
                let before = LiveQueries.processorSeconds()
                let time = try await Timed.duration {
                    for number in 0..<count {
                        var dish = Dish(number: number)
                        dish.summary = "changed in pass \(pass)"
                        try await managers[side].save(dish)
                    }
                }
                // The first pass fills caches.
                if pass == 0 { continue }
                times[side].append(time.microseconds / Double(count))
                used[side].append((LiveQueries.processorSeconds() - before) * 1e6 / Double(count))
            }
        }
        following.cancel()
        try await following.value
        for store in stores { await store.close() }
        for (name, figures, target) in [("time", times, ratioTarget), ("processor time", used, nil)] {
            let ratio = Spread(zip(figures[1], figures[0]).map { $0 / $1 })
            Report.print("W22 update, \(store), \(name)", Spread(figures[0]).median, [ratio], target: target)
        }
    }

    private static func lag(_ name: String, in folder: URL, _ follower: (Lags) -> Follower) async throws {
        let count = 10_000
        let mappers = try mappers()
        let path = folder.appending(path: "lag \(name).sqlite").path
        let store = try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        let lags = Lags(count)
        let followers = try Followers(
            [follower(lags)], store: store, manager: manager,
            report: { notice in
                if case .handled = notice { lags.end() }
            })
        let following = Task { try await followers.run() }
        try await Task.sleep(for: .milliseconds(500))
        try await LiveQueries.commitSteadily(count) { number in
            lags.begin(number)
            try await manager.create(Dish(number: number))
        }
        try await Task.sleep(for: .seconds(1))
        following.cancel()
        try await following.value
        await store.close()
        let sorted = try lags.sorted()
        let p99 = sorted[count * 99 / 100]
        Report.row(
            "W23 \(name), \(count) commits", [sorted[count / 2], p99, sorted[count - 1], lagLimit].map(Report.decimal),
            p99 > lagLimit ? "missed" : "met")
    }
}

/// The times of commits from their calls until a follower has handled them.
private final class Lags: Sendable {
    private struct Times {
        var begins: [RawID: ContinuousClock.Instant] = [:]
        var pending: [RawID] = []
        var ends: [RawID: ContinuousClock.Instant] = [:]
    }

    private let times = Mutex(Times())
    private let count: Int

    init(_ count: Int) {
        self.count = count
    }

    func begin(_ number: Int) {
        times.withLock { $0.begins[Dish(number: number).id.rawValue] = .now }
    }

    /// Notes the commits of a batch that has not ended.
    func handle(_ changes: CommittedChanges) {
        times.withLock { $0.pending += changes.entries.map(\.reference.id) }
    }

    /// Ends the batch.
    func end() {
        times.withLock { times in
            for id in times.pending { times.ends[id] = .now }
            times.pending = []
        }
    }

    /// Milliseconds.
    func sorted() throws -> [Double] {
        try times.withLock { times in
            guard times.ends.count == count else { throw FollowerCost.Lost(count: count - times.ends.count) }
            return times.begins.map { id, begin in ((times.ends[id] ?? .now) - begin).microseconds / 1000 }.sorted()
        }
    }
}
