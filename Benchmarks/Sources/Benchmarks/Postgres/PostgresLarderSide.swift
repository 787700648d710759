#if Postgres
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderPostgres

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Repository, manager, mapper, and store.
struct PostgresLarderSide: PostgresSide {
    let name = "Larder"
    let store: PostgresStore
    let dishes: DishRepository
    let feasts: FeastRepository

    init(_ connection: String, schema: String, connections: Int = 8) async throws {
        let mappers = try LarderSide.mappers()
        store = try await PostgresStore.open(
            .init(connection, schema: schema, connections: connections), schemas: mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        (dishes, feasts) = (DishRepository(manager: manager), FeastRepository(manager: manager))
    }

    func read(_ ids: [EntityID<Dish>]) async throws -> Timed {
        try await .measure {
            var sum = Sum()
            for id in ids { sum += try await dishes.read(id)?.sum ?? Sum() }
            return sum
        }
    }

    func read(preparedIn minutes: [Int]) async throws -> Timed {
        try await .measure {
            var sum = Sum()
            for minutes in minutes {
                let query = Query<Dish>(#Predicate { $0.preparationMinutes == minutes }, sort: [Sort(\.name)])
                sum += try await dishes.read(query).items.sum(\.sum)
            }
            return sum
        }
    }

    func rate(_ ids: [EntityID<Dish>]) async throws -> Timed {
        let changed = try await dishes.read(ids).map(\.rerated)
        return try await .measure {
            for dish in changed { try await dishes.update(dish.entity, expecting: dish.version) }
            return Sum(count: changed.count)
        }
    }

    func create(_ dishes: [Dish]) async throws -> Timed {
        try await .measure {
            try await self.dishes.create(contentsOf: dishes)
            return Sum(count: dishes.count)
        }
    }

    func read(_ ids: [EntityID<Feast>]) async throws -> Timed {
        try await .measure {
            var sum = Sum()
            for id in ids { sum += try await feasts.read(id)?.sum ?? Sum() }
            return sum
        }
    }
}
#endif
