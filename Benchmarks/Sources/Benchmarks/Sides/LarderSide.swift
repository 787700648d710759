import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Repository, manager, mapper, and store.
struct LarderSide: Side {
    let name: String
    let path: String
    let store: SQLiteStore
    let dishes: DishRepository
    let feasts: FeastRepository

    static func mappers() throws -> MapperSet { try MapperSet([DishMapper.self, FeastMapper.self, LabelMapper.self]) }

    static func open(
        _ name: String, _ path: String, _ durability: SQLiteStore.Durability = .normal,
        journal: JournalBounds? = JournalBounds()
    ) async throws -> LarderSide {
        let mappers = try mappers()
        let store = try await SQLiteStore.open(
            .init(.file(path), durability: durability, journal: journal), schemas: mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        return LarderSide(
            name: name, path: path, store: store, dishes: DishRepository(manager: manager),
            feasts: FeastRepository(manager: manager))
    }

    func insert(_ dishes: [Dish], into path: String, by method: BulkMethod) async throws -> Duration {
        let mappers = try MapperSet([DishMapper.self])
        let store = try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        let duration = try await Timed.duration { try await method.insert(dishes, manager) }
        await store.close()
        return duration
    }

    func read(_ ids: [EntityID<Dish>], task: Int?) async throws -> Sum {
        var sum = Sum()
        for id in ids { sum += try await dishes.read(id)?.sum ?? Sum() }
        return sum
    }

    func readAll() async throws -> Sum { try await dishes.read(Query()).items.sum(\.sum) }

    func read(preparedIn minutes: Int) async throws -> Sum {
        let query = Query<Dish>(#Predicate { $0.preparationMinutes == minutes }, sort: [Sort(\.name)])
        return try await dishes.read(query).items.sum(\.sum)
    }

    func rate(_ ids: [EntityID<Dish>]) async throws -> Duration {
        let changed = try await dishes.read(ids).map(\.rerated)
        return try await Timed.duration {
            for dish in changed { try await dishes.update(dish.entity, expecting: dish.version) }
        }
    }

    func saveUnchanged(_ ids: [EntityID<Dish>]) async throws -> Timed {
        let stored = try await dishes.read(ids)
        return try await .measure {
            var sum = Sum()
            for dish in stored where try await dishes.save(dish.entity).outcome == .unchanged { sum.count += 1 }
            return sum
        }
    }

    func insert(_ feasts: [Feast]) async throws -> Duration {
        try await Timed.duration { for feast in feasts { try await self.feasts.create(feast) } }
    }

    func changeStep(of ids: [EntityID<Feast>], to text: String) async throws -> Duration {
        let changed = try await feasts.read(ids).map { $0.withStep(text) }
        return try await Timed.duration {
            for feast in changed { try await feasts.update(feast.entity, expecting: feast.version) }
        }
    }

    func read(_ ids: [EntityID<Feast>]) async throws -> Sum {
        var sum = Sum()
        for id in ids { sum += try await feasts.read(id)?.sum ?? Sum() }
        return sum
    }

    func readAtOnce(_ ids: [EntityID<Feast>]) async throws -> Sum { try await feasts.read(ids).sum(\.sum) }
}
