import LarderData
import LarderDomain
import LarderGRDB
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
    let store: any Store
    let dishes: DishRepository
    let feasts: FeastRepository
    private let opening: Opening

    /// Opens a store at a path.
    typealias Opening = @Sendable (_ path: String, SchemaSet) async throws -> any Store

    static func mappers() throws -> MapperSet {
        try MapperSet([DishMapper.self, FeastMapper.self, LabelMapper.self])
    }

    static func open(_ name: String, _ path: String, by opening: @escaping Opening = sqlite()) async throws -> Self {
        let mappers = try mappers()
        let store = try await opening(path, mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        return LarderSide(
            name: name, path: path, store: store, dishes: DishRepository(manager: manager),
            feasts: FeastRepository(manager: manager), opening: opening)
    }

    static func sqlite(
        _ durability: SQLiteStore.Durability = .normal, journal: JournalBounds? = JournalBounds()
    ) -> Opening {
        { path, schemas in
            try await SQLiteStore.open(
                .init(.file(path), durability: durability, journal: journal), schemas: schemas)
        }
    }

    static let grdb: Opening = { path, schemas in
        try await GRDBStore.open(path: path, schemas: schemas, durability: .normal)
    }

    func makeEmpty(_ path: String) async throws {
        let store = try await opening(path, try MapperSet([DishMapper.self]).schemas)
        await store.close()
    }

    func insert(_ dishes: [Dish], into path: String, by method: BulkMethod) async throws -> Duration {
        let mappers = try MapperSet([DishMapper.self])
        let store = try await opening(path, mappers.schemas)
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

    func readLines() async throws -> Sum {
        try await dishes.manager.read(Query<Dish>(), as: DishLine.self).items.sum(\.sum)
    }

    func sumOfRatings() async throws -> Sum {
        let groups = try await dishes.manager.aggregates(
            Query<Dish>(), by: .value(\.preparationMinutes), of: .sum(\.rating))
        var sum = Sum()
        for (minutes, ratings) in groups { sum += Sum(count: minutes, checksum: ratings) }
        return sum
    }

    func change(_ ids: [EntityID<Dish>]) async throws -> Duration {
        try await Timed.duration {
            for id in ids { try await dishes.change(id) { $0.rating = ($0.rating + 1) % 6 } }
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
