import Foundation
import GRDB
import LarderDomain

/// A dish for GRDB, written by hand: columns by index, and statements in SQL.
struct DishRow: GRDBDish {
    private var dish: Stored<Dish>

    init(_ dish: Stored<Dish>) { self.dish = dish }

    var id: UUID { UUID(dish.id.rawValue) }
    var version: Int64 {
        get { dish.version }
        set { dish = Stored(dish.entity, version: newValue) }
    }
    var sum: Sum { dish.sum }
    /// The same dish at the next version, with a different rating.
    var rerated: DishRow { DishRow(Stored(dish.rerated.entity, version: version + 1)) }
}

extension DishRow: FetchableRecord {
    private static let select = """
        SELECT id, version, name, summary, author, difficulty, rating, preparation_minutes, cooking_minutes, \
        is_completed, created_at FROM dish
        """

    init(row: Row) {
        let (id, version): (UUID, Int64) = (row[0], row[1])
        let entity = Dish(
            id: EntityID(id.rawID), name: row[2], summary: row[3], author: row[4], difficulty: row[5], rating: row[6],
            preparationMinutes: row[7], cookingMinutes: row[8], isCompleted: row[9],
            createdAt: Timestamp(microseconds: row[10]))
        dish = Stored(entity, version: version)
    }

    static func find(_ id: UUID, in database: Database) throws -> DishRow? {
        try fetchOne(try database.cachedStatement(sql: select + " WHERE id = ?"), arguments: [id])
    }

    static func all(_ database: Database) throws -> [DishRow] {
        try fetchAll(try database.cachedStatement(sql: select + " ORDER BY id"))
    }

    static func prepared(in minutes: Int, _ database: Database) throws -> [DishRow] {
        let statement = try database.cachedStatement(sql: select + " WHERE preparation_minutes = ? ORDER BY name, id")
        return try fetchAll(statement, arguments: [minutes])
    }
}

extension DishRow: PersistableRecord {
    static let databaseTableName = "dish"

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["version"] = version
        container["name"] = dish.name
        container["summary"] = dish.summary
        container["author"] = dish.author
        container["difficulty"] = dish.difficulty
        container["rating"] = dish.rating
        container["preparation_minutes"] = dish.preparationMinutes
        container["cooking_minutes"] = dish.cookingMinutes
        container["is_completed"] = dish.isCompleted
        container["created_at"] = dish.createdAt.microseconds
    }
}
