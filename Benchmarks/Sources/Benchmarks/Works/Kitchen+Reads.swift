import LarderDomain

extension Kitchen {
    func pointReads(_ count: Int) -> Work {
        Work(
            name: "W3 point reads, alone", target: 1.3, operations: count,
            floor: { number in
                let ids = ids(count, seed: number)
                return try await .measure { try ids.reduce(0) { $0 + (try floor.dish($1)?.checksum ?? 0) } }
            },
            kit: { number in
                let ids = ids(count, seed: number)
                return try await .measure { try await repository.checksum(of: ids) }
            })
    }

    func pointReads(_ count: Int, fromTasks tasks: Int, floorOn threads: Int) -> Work {
        Work(
            name: "W4 point reads from \(tasks) tasks, floor on \(threads)", target: threads == 1 ? 0.8 : nil,
            operations: count * tasks,
            floor: { number in
                if threads == 1 {
                    let ids = (0..<tasks).flatMap { self.ids(count, seed: number * tasks + $0) }
                    return try await .measure { try ids.reduce(0) { $0 + (try floor.dish($1)?.checksum ?? 0) } }
                }
                return try await Self.measure(tasks) { task in
                    let ids = ids(count, seed: number * tasks + task)
                    let reader = floorReaders[task]
                    return { try ids.reduce(0) { $0 + (try reader.dish($1)?.checksum ?? 0) } }
                }
            },
            kit: { number in
                try await Self.measure(tasks) { task in
                    let ids = ids(count, seed: number * tasks + task)
                    return { try await repository.checksum(of: ids) }
                }
            })
    }

    func fetchOfAll() -> Work {
        Work(
            name: "W2 fetch of \(ids.count), each dish", target: 1.6, operations: ids.count,
            floor: { _ in
                try await .measure { try floor.dishes(capacity: ids.count).reduce(0) { $0 &+ $1.checksum } }
            },
            kit: { _ in
                try await .measure { try await repository.read(Query()).items.reduce(0) { $0 &+ $1.checksum } }
            })
    }

    /// Measures from the start of the first of several tasks to the end of the last.
    private static func measure(
        _ tasks: Int, _ work: (Int) -> @Sendable () async throws -> Int
    ) async throws -> Timed {
        let works = (0..<tasks).map(work)
        return try await .measure {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for work in works { group.addTask { try await work() } }
                return try await group.reduce(0, &+)
            }
        }
    }
}

extension DishRepository {
    fileprivate func checksum(of ids: [EntityID<Dish>]) async throws -> Int {
        var sum = 0
        for id in ids { sum &+= try await read(id)?.checksum ?? 0 }
        return sum
    }
}

extension Stored<Dish> {
    /// Something of each part, so that no side gets away with not reading one.
    var checksum: Int {
        entity.name.utf8.count + (entity.summary?.utf8.count ?? 0) + (entity.author?.utf8.count ?? 0)
            + entity.difficulty + entity.rating + (entity.preparationMinutes ?? 0) + (entity.cookingMinutes ?? 0)
            + (entity.isCompleted ? 1 : 0) + Int(entity.createdAt.microseconds & 0xFFFF) + Int(version)
    }
}
