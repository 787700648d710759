import Foundation
import GRDB
import LarderDomain

/// GRDB: a `DatabasePool` with as many readers as the floor, records of one kind, and cached statements.
///
/// It uses the synchronous access, which needs no change of task and is faster in these works.
struct GRDBSide<DishRecord: GRDBDish, FeastRecord: GRDBFeast>: Side {
    let name: String
    let path: String
    private let pool: DatabasePool

    init(name: String, path: String, tasks: Int) throws {
        self.name = name
        self.path = path
        pool = try Self.open(path, readers: tasks)
    }

    private static func open(_ path: String, readers: Int) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.maximumReaderCount = readers
        // The same as Larder's connections; a pool switches to WAL automatically.
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF")
        }
        return try DatabasePool(path: path, configuration: configuration)
    }

    func insert(_ dishes: [Dish], into path: String, by method: BulkMethod) throws -> Duration {
        let pool = try Self.open(path, readers: 1)
        let records = dishes.map { DishRecord(Stored($0, version: 1)) }
        let duration = try Timed.duration {
            try pool.write { database in for record in records { try record.insert(database) } }
        }
        try pool.close()
        return duration
    }

    func read(_ ids: [EntityID<Dish>], task: Int?) throws -> Sum {
        try ids.sum { id in try pool.read { try DishRecord.find(UUID(id.rawValue), in: $0)?.sum ?? Sum() } }
    }

    func readAll() throws -> Sum { try pool.read(DishRecord.all).sum(\.sum) }

    func read(preparedIn minutes: Int) throws -> Sum {
        try pool.read { try DishRecord.prepared(in: minutes, $0) }.sum(\.sum)
    }

    func rate(_ ids: [EntityID<Dish>]) throws -> Duration {
        let dishes = try stored(ids).map { DishRecord($0.rerated) }
        return try Timed.duration {
            for dish in dishes {
                try pool.write { database in
                    guard let stored = try DishRecord.find(dish.id, in: database), stored.version == dish.version
                    else { throw DatabaseError(message: "lost") }
                    var changed = dish
                    changed.version += 1
                    try changed.updateChanges(database, from: stored)
                }
            }
        }
    }

    func readLines() throws -> Sum {
        try pool.read { database in
            let sql = "SELECT id, name, rating, preparation_minutes FROM dish ORDER BY id"
            let rows = try Row.fetchCursor(try database.cachedStatement(sql: sql))
            var lines: [DishLine] = []
            while let row = try rows.next() {
                let id: UUID = row[0]
                lines.append(DishLine(id: EntityID(id.rawID), name: row[1], rating: row[2], preparationMinutes: row[3]))
            }
            return lines
        }.sum(\.sum)
    }

    func sumOfRatings() throws -> Sum {
        try pool.read { database in
            let sql = """
                SELECT preparation_minutes, sum(rating) FROM dish WHERE preparation_minutes IS NOT NULL GROUP BY 1
                """
            let rows = try Row.fetchAll(try database.cachedStatement(sql: sql))
            return rows.sum { Sum(count: $0[0], checksum: $0[1]) }
        }
    }

    func change(_ ids: [EntityID<Dish>]) throws -> Duration {
        try Timed.duration {
            for id in ids {
                try pool.write { database in
                    guard let stored = try DishRow.find(UUID(id.rawValue), in: database) else { return }
                    _ = try stored.rerated.updateChanges(database, from: stored)
                }
            }
        }
    }

    func saveUnchanged(_ ids: [EntityID<Dish>]) async throws -> Timed {
        let dishes = try stored(ids).map(DishRecord.init)
        return try await .measure {
            Sum(count: try dishes.count { dish in try pool.read { try DishRecord.find(dish.id, in: $0) } == dish })
        }
    }

    private func stored(_ ids: [EntityID<Dish>]) throws -> [Stored<Dish>] {
        let floor = try FloorDatabase(path: path, isReadOnly: true)
        return try ids.compactMap { try floor.dish($0) }
    }

    func insert(_ feasts: [Feast]) throws -> Duration {
        let records = feasts.map { FeastRecord(Stored($0, version: 1)) }
        return try Timed.duration {
            for record in records { try pool.write { try record.insert($0) } }
        }
    }

    func changeStep(of ids: [EntityID<Feast>], to text: String) throws -> Duration {
        var changed = try ids.flatMap { id in try load([id]) }
        for index in changed.indices { changed[index].changeStep(to: text) }
        return try Timed.duration {
            for feast in changed {
                try pool.write { database in
                    guard let stored = try FeastRecord.load([feast.id], database).first else { return }
                    try feast.update(from: stored, database)
                }
            }
        }
    }

    func read(_ ids: [EntityID<Feast>]) throws -> Sum { try ids.sum { id in try load([id]).sum(\.sum) } }

    func readAtOnce(_ ids: [EntityID<Feast>]) throws -> Sum { try load(ids).sum(\.sum) }

    private func load(_ ids: [EntityID<Feast>]) throws -> [FeastRecord] {
        let ids = ids.map { UUID($0.rawValue) }
        return try pool.read { try FeastRecord.load(ids, $0) }
    }
}
