import Foundation
import GRDB
import LarderDomain

/// A dish for GRDB in the style of its guide: a Codable record and the query interface.
struct CodableDish: GRDBDish, Codable {
    let id: UUID
    var version: Int64
    var name: String
    var summary: String?
    var author: String?
    var difficulty: Int
    var rating: Int
    var preparationMinutes: Int?
    var cookingMinutes: Int?
    var isCompleted: Bool
    var createdAt: Int64

    static let databaseTableName = "dish"

    enum CodingKeys: String, CodingKey, ColumnExpression {
        case id, version, name, summary, author, difficulty, rating
        case preparationMinutes = "preparation_minutes"
        case cookingMinutes = "cooking_minutes"
        case isCompleted = "is_completed"
        case createdAt = "created_at"
    }
}

extension CodableDish {
    init(_ dish: Stored<Dish>) {
        id = UUID(dish.id.rawValue)
        version = dish.version
        name = dish.name
        summary = dish.summary
        author = dish.author
        difficulty = dish.difficulty
        rating = dish.rating
        preparationMinutes = dish.preparationMinutes
        cookingMinutes = dish.cookingMinutes
        isCompleted = dish.isCompleted
        createdAt = dish.createdAt.microseconds
    }

    var sum: Sum {
        let texts = name.utf8.count + (summary?.utf8.count ?? 0) + (author?.utf8.count ?? 0)
        let numbers = difficulty + rating + (preparationMinutes ?? 0) + (cookingMinutes ?? 0)
        let rest = (isCompleted ? 1 : 0) + Int(createdAt & 0xFFFF) + Int(version)
        return Sum(count: 1, checksum: texts + numbers + rest)
    }

    static func find(_ id: UUID, in database: Database) throws -> CodableDish? {
        try fetchOne(database, key: id)
    }

    static func all(_ database: Database) throws -> [CodableDish] {
        try order(CodingKeys.id).fetchAll(database)
    }

    static func prepared(in minutes: Int, _ database: Database) throws -> [CodableDish] {
        try filter(CodingKeys.preparationMinutes == minutes).order(CodingKeys.name, CodingKeys.id).fetchAll(database)
    }
}
