import LarderDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Dishes: flat rows of nine columns. Results of writes are read from the file, outside the measurement.
extension Kitchen {
    /// W1: all dishes into an empty database, in one transaction.
    func bulkInsert(by method: BulkMethod) -> Work {
        let dishes = (0..<ids.count).map(Dish.init)
        return Work(name: "W1 bulk insert, \(method.name)", target: method.target, operations: dishes.count) {
            side, number in
            let path = folder.appending(path: "bulk-\(UUID()).sqlite").path
            try await side.makeEmpty(path)
            defer {
                for suffix in ["", "-wal", "-shm", ".lock"] {
                    try? FileManager.default.removeItem(atPath: path + suffix)
                }
            }
            let duration = try await side.insert(dishes, into: path, by: method)
            return Timed(
                duration: duration, sum: try FloorDatabase(path: path, isReadOnly: true).dishes().sum(\.sum))
        }
    }

    func fetchOfAll() -> Work {
        Work(name: "W2 fetch of \(ids.count), each dish", target: 1.2, operations: ids.count) { side, _ in
            try await .measure { try await side.readAll() }
        }
    }

    func pointReads(_ count: Int) -> Work {
        Work(name: "W3 point reads, alone", target: 1.25, operations: count) { side, number in
            let ids = ids(count, seed: number)
            return try await .measure { try await side.read(ids, task: nil) }
        }
    }

    /// W4: the tasks share two threads on a machine with two cores, on each side.
    func pointReadsFromTasks(_ count: Int) -> Work {
        let tasks = Self.tasks
        return Work(name: "W4 point reads from \(tasks) tasks", target: 1.3, operations: count * tasks) {
            side, number in
            let lists = (0..<tasks).map { ids(count, seed: number * tasks + $0) }
            return try await .measure {
                try await withThrowingTaskGroup(of: Sum.self) { group in
                    for (task, ids) in lists.enumerated() {
                        group.addTask { try await side.read(ids, task: task) }
                    }
                    return try await group.reduce(Sum(), +)
                }
            }
        }
    }

    func updates(_ count: Int) -> Work {
        Work(name: "W5 update with its own commit", target: 1.25, operations: count) { side, number in
            let ids = distinctIDs(count, seed: number)
            return Timed(duration: try await side.rate(ids), sum: try stored(ids, side))
        }
    }

    /// W6: the dishes of one preparation time, about one in a hundred, in the order of their names.
    func query(_ count: Int) -> Work {
        Work(name: "W6 query for 1 %, sorted", target: 1.05, operations: count) { side, number in
            try await .measure {
                var sum = Sum()
                for index in 0..<count { sum += try await side.read(preparedIn: 1 + (number * count + index) % 88) }
                return sum
            }
        }
    }

    func unchangedSaves(_ count: Int) -> Work {
        Work(name: "W7 unchanged save", target: 1.25, operations: count) { side, number in
            let ids = distinctIDs(count, seed: number)
            var timed = try await side.saveUnchanged(ids)
            timed.sum += try stored(ids, side)
            return timed
        }
    }

    func lines() -> Work {
        Work(name: "W14 read model of \(ids.count), each of 3 of 9 columns", target: 1.2, operations: ids.count) {
            side, _ in
            try await .measure { try await side.readLines() }
        }
    }

    func sums() -> Work {
        Work(name: "W15 sum of \(ids.count), by 90 keys", target: 1.15, operations: ids.count) { side, _ in
            try await .measure { try await side.sumOfRatings() }
        }
    }

    func changes(_ count: Int) -> Work {
        Work(name: "W16 read and change with its own commit", target: 1.25, operations: count) { side, number in
            let ids = distinctIDs(count, seed: number)
            return Timed(duration: try await side.change(ids), sum: try stored(ids, side))
        }
    }

    private func stored(_ ids: [EntityID<Dish>], _ side: any Side) throws -> Sum {
        let floor = try FloorDatabase(path: side.path, isReadOnly: true)
        return try ids.sum { try floor.dish($0)?.sum ?? Sum() }
    }
}

/// W8, feasts: an aggregate of 19 rows.
extension Kitchen {
    func newFeasts(_ count: Int) -> Work {
        Work(name: "W8 graph: save new", target: 1.2, operations: count) { side, number in
            let feasts = (0..<count).map { Feast(number: feastCount + number * count + $0) }
            return Timed(duration: try await side.insert(feasts), sum: try stored(feasts.map(\.id), side))
        }
    }

    func stepChanges(_ count: Int) -> Work {
        Work(name: "W8 graph: change one step", target: 1.3, operations: count) { side, number in
            let ids = feastIDs(count, seed: number)
            let duration = try await side.changeStep(of: ids, to: "The step, as it is since pass \(number).")
            return Timed(duration: duration, sum: try stored(ids, side))
        }
    }

    func feastLoads(_ count: Int) -> Work {
        Work(name: "W8 graph: load", target: 1.3, operations: count) { side, number in
            let ids = feastIDs(count, seed: number)
            return try await .measure { try await side.read(ids) }
        }
    }

    func feastLoadsOfHundred(_ count: Int) -> Work {
        Work(name: "W8 graph: load 100, each", target: 1.3, operations: count * 100) { side, number in
            let hundreds = (0..<count).map { feastIDs(100, seed: number * count + $0) }
            return try await .measure {
                var sum = Sum()
                for ids in hundreds { sum += try await side.readAtOnce(ids) }
                return sum
            }
        }
    }

    private func stored(_ ids: [EntityID<Feast>], _ side: any Side) throws -> Sum {
        let floor = try FloorFeasts(path: side.path)
        return try ids.sum { try floor.load($0)?.sum ?? Sum() }
    }
}
