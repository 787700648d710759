import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Kitchen {
    /// W1: all dishes into an empty database, in one transaction.
    func bulkInsert() -> Work {
        let dishes = (0..<ids.count).map(Dish.init)
        return Work(
            name: "W1 bulk insert, one transaction, each dish", target: 1.3, operations: dishes.count,
            floor: { number in
                let path = try await emptyDatabase("bulk-floor-\(number)")
                let floor = try FloorDatabase(path: path, isReadOnly: false)
                return try await .measure {
                    try floor.insert(dishes)
                    return dishes.count
                }
            },
            kit: { number in
                let path = try await emptyDatabase("bulk-kit-\(number)")
                return try await withRepository(path) { repository in
                    try await .measure {
                        try await repository.manager.transaction { manager in
                            for dish in dishes { try await manager.create(dish) }
                        }
                        return dishes.count
                    }
                }
            })
    }

    /// W6: those of one preparation time, about one in a hundred, in the order of their names.
    func query(_ count: Int) -> Work {
        Work(
            name: "W6 query for 1 %, sorted", target: 1.3, operations: count,
            floor: { number in
                try await .measure {
                    try (0..<count).reduce(0) { sum, index in
                        try floor.dishes(prepared: 1 + (number * count + index) % 88).reduce(sum) { $0 &+ $1.checksum }
                    }
                }
            },
            kit: { number in
                try await .measure {
                    var sum = 0
                    for index in 0..<count {
                        let minutes = 1 + (number * count + index) % 88
                        let query = Query<Dish>(
                            #Predicate { $0.preparationMinutes == minutes }, sort: [Sort(\.name)])
                        sum = try await repository.read(query).items.reduce(sum) { $0 &+ $1.checksum }
                    }
                    return sum
                }
            })
    }

    private func withRepository(
        _ path: String, _ body: (DishRepository) async throws -> Timed
    ) async throws -> Timed {
        let mappers = try MapperSet([DishMapper.self])
        let store = try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: mappers.schemas)
        let timed = try await body(DishRepository(manager: StoreManager(store, mappers: mappers)))
        await store.close()
        return timed
    }

    private func emptyDatabase(_ name: String) async throws -> String {
        let path = folder.appending(path: name + ".sqlite").path
        let mappers = try MapperSet([DishMapper.self])
        let store = try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: mappers.schemas)
        await store.close()
        return path
    }
}
