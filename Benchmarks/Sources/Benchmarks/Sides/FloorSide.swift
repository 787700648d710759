import LarderDomain

/// SQLite's C API: the ratios of all others are relative to this side.
struct FloorSide: Side {
    let name: String
    let path: String
    /// The number of dishes, so that an array of all of them never grows.
    private let rows: Int
    private let database: FloorDatabase
    /// One connection for each task of the works that read from several.
    private let readers: [FloorDatabase]
    private let feasts: FloorFeasts

    /// - Parameter journals: Whether each commit of W5 and W8 writes a row of the journal, as law 19 demands.
    init(path: String, rows: Int, tasks: Int, journals: Bool = true) throws {
        (name, self.path, self.rows) = (journals ? "C API" : "C API, no journal", path, rows)
        database = try FloorDatabase(path: path, isReadOnly: false, journals: journals)
        readers = try (0..<tasks).map { _ in try FloorDatabase(path: path, isReadOnly: true) }
        feasts = try FloorFeasts(path: path, journals: journals)
    }

    func insert(_ dishes: [Dish], into path: String, by method: BulkMethod) throws -> Duration {
        let database = try FloorDatabase(path: path, isReadOnly: false)
        return try Timed.duration { try database.insert(dishes) }
    }

    func read(_ ids: [EntityID<Dish>], task: Int?) throws -> Sum {
        let reader = task.map { readers[$0] } ?? database
        return try ids.sum { try reader.dish($0)?.sum ?? Sum() }
    }

    func readAll() throws -> Sum { try database.dishes(capacity: rows).sum(\.sum) }

    func read(preparedIn minutes: Int) throws -> Sum { try database.dishes(prepared: minutes).sum(\.sum) }

    func rate(_ ids: [EntityID<Dish>]) throws -> Duration {
        let dishes = try ids.compactMap { try database.dish($0) }.map(\.rerated)
        return try Timed.duration {
            for dish in dishes where try database.dish(dish.id) != dish { try database.rate(dish) }
        }
    }

    func readLines() throws -> Sum { try database.lines(capacity: rows).sum(\.sum) }

    func sumOfRatings() throws -> Sum { try database.sumsOfRatings().sum { Sum(count: $0.minutes, checksum: $0.sum) } }

    func change(_ ids: [EntityID<Dish>]) throws -> Duration {
        try Timed.duration {
            for id in ids { if let dish = try database.dish(id) { try database.rate(dish.rerated) } }
        }
    }

    func saveUnchanged(_ ids: [EntityID<Dish>]) async throws -> Timed {
        let dishes = try ids.compactMap { try database.dish($0) }
        return try await .measure {
            Sum(count: try dishes.count { try database.dish($0.id)?.entity == $0.entity })
        }
    }

    func insert(_ feasts: [Feast]) throws -> Duration {
        try Timed.duration { for feast in feasts { try self.feasts.insert(feast) } }
    }

    func changeStep(of ids: [EntityID<Feast>], to text: String) throws -> Duration {
        let changed = try ids.compactMap { try feasts.load($0) }.map { $0.withStep(text) }
        return try Timed.duration { for feast in changed { try feasts.update(feast) } }
    }

    func read(_ ids: [EntityID<Feast>]) throws -> Sum { try ids.sum { try feasts.load($0)?.sum ?? Sum() } }

    func readAtOnce(_ ids: [EntityID<Feast>]) throws -> Sum { try feasts.loadHundred(ids).sum(\.sum) }
}
