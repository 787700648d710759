import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure

/// Repository, manager, mapper, and a sealed store over the SQLite store.
struct SealedLarderSide: SealedSide {
    let name: String
    let store: any Store
    private let dishes: DishRepository
    private let journal: JournalBounds?

    /// - Parameter journal: The bounds of its journal; `nil` for the side without one.
    init(_ path: String, journal: JournalBounds? = JournalBounds()) async throws {
        (name, self.journal) = (journal == nil ? "no journal" : "Larder", journal)
        let mappers = try MapperSet([SealedDishMapper.self])
        let keys = try SealingKeys(current: .init("first", AESCipher(key: SealedWorks.key)))
        store = try await SealedStore.open(mappers.schemas, keys: keys) {
            try await SQLiteStore.open(.init(.file(path), durability: .normal, journal: journal), schemas: $0)
        }
        dishes = DishRepository(manager: StoreManager(store, mappers: mappers))
    }

    func insert(_ dishes: [Dish], into path: String) async throws -> Timed {
        let side = try await SealedLarderSide(path, journal: journal)
        let duration = try await Timed.duration { try await side.fill(dishes) }
        let sum = try await side.dishes.read(Query()).items.sum(\.sum)
        await side.store.close()
        return Timed(duration: duration, sum: sum)
    }

    /// Writes dishes in one transaction.
    func fill(_ dishes: [Dish]) async throws { try await self.dishes.create(contentsOf: dishes) }

    func readAll() async throws -> Timed {
        try await .measure { try await dishes.read(Query()).items.sum(\.sum) }
    }

    func rate(_ ids: [EntityID<Dish>]) async throws -> Timed {
        let changed = try await dishes.read(ids).map(\.rerated)
        let duration = try await Timed.duration {
            for dish in changed { try await dishes.update(dish.entity, expecting: dish.version) }
        }
        return Timed(duration: duration, sum: try await dishes.read(ids).sum(\.sum))
    }
}
