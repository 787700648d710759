import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// W11: deletes a label of all aggregates, which deletes links and raises versions. The memory required must not grow
/// with the number of aggregates.
enum LabelDelete {
    static let name = "W11 delete a label"

    private static let target = 3.0
    /// Megabytes of growth for ten times as many aggregates.
    private static let growthLimit = 8.0

    static func run(_ counts: [Int], passes: Int, in folder: URL) async throws {
        let mappers = try MapperSet([FeastMapper.self, LabelMapper.self])
        print()
        Report.row("deletion of a label", ["C API ms", "Larder: ratio", "target"], width: Report.width)
        var growths: [Double] = []
        for count in counts {
            let path = folder.appending(path: "labelled-\(count).sqlite").path
            try await fill(path, count, mappers)
            let name = "\(name) of \(count) aggregates"
            do {
                var (floor, ratios, growth) = ([Double](), [Double](), [Double]())
                for _ in 0..<passes {
                    let below = try await copied(path, count, delete)
                    let above = try await copied(path, count) { path in try await delete(path, mappers) }
                    floor.append(below.milliseconds)
                    ratios.append(above.milliseconds / below.milliseconds)
                    growth.append(above.megabytes)
                }
                Report.print(name, Spread(floor).median, [Spread(ratios)], target: target)
                growths.append(Spread(growth).median)
            } catch let error as PersistencyError {
                Report.row(name, ["", "fails", Report.decimal(target)], "missed: \(error)", width: Report.width)
            }
        }
        guard growths.count == counts.count, let least = growths.first, let greatest = growths.last else { return }
        let cells = [Report.decimal(least), Report.decimal(greatest), "+\(Report.decimal(growthLimit))"]
        Report.row(
            "W11 peak memory, MB, of \(counts[0]) and \(counts[counts.count - 1])", cells,
            greatest > least + growthLimit ? "missed" : "met", width: Report.width)
    }

    /// Aggregates of six rows, each with the same label.
    private static func fill(_ path: String, _ count: Int, _ mappers: MapperSet) async throws {
        let store = try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: mappers.schemas)
        let label = Label(number: 0)
        _ = try await store.commit(ChangeSet(inserts: [LabelMapper.storageObject(from: label)]))
        for start in stride(from: 0, to: count, by: 2_000) {
            let objects = try (start..<min(start + 2_000, count)).map { number in
                var feast = Feast(number: number)
                feast.steps.removeLast(5)
                feast.ingredients.removeLast(6)
                feast.labels = [label.id]
                return try FeastMapper.storageObject(from: feast)
            }
            _ = try await store.commit(ChangeSet(inserts: objects))
        }
        await store.close()
    }

    private typealias Cost = (milliseconds: Double, megabytes: Double)

    /// Applies a change to a copy of a database, and checks the remaining rows.
    private static func copied(
        _ path: String, _ count: Int, _ delete: (_ path: String) async throws -> Cost
    ) async throws -> Cost {
        let copy = path + "-copy.sqlite"
        let files = FileManager.default
        defer { for suffix in ["", "-wal", "-shm", ".lock"] { try? files.removeItem(atPath: copy + suffix) } }
        try files.copyItem(atPath: path, toPath: copy)
        let cost = try await delete(copy)
        let state = try FloorFeasts(path: copy).state()
        guard state == [Int64(count) * 2, 0, 0] else { throw FloorError(code: 0, message: "left: \(state)") }
        return cost
    }

    private static func delete(_ path: String) async throws -> Cost {
        let floor = try FloorFeasts(path: path)
        return try await measured { try floor.delete(Label(number: 0).id) }
    }

    private static func delete(_ path: String, _ mappers: MapperSet) async throws -> Cost {
        let store = try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        do {
            let cost = try await measured { try await manager.delete(Label(number: 0).id) }
            await store.close()
            return cost
        } catch {
            await store.close()
            throw error
        }
    }

    private static func measured(_ work: () async throws -> Void) async throws -> Cost {
        var duration = Duration.zero
        let growth = try await Memory.growth { duration = try await ContinuousClock().measure { try await work() } }
        return (duration.microseconds / 1000, growth)
    }
}
