internal import GRDB

/// The row of a recipe.
struct Recipe: Codable, Equatable, FetchableRecord, PersistableRecord, Sendable {
    let id: String
    var version: Int
    let name: String
    let foldedName: String
    let summary: String?
    let author: String?
    let published: String?
    let difficulty: Int
    var rating: Int
    let preparationMinutes: Int?
    let cookingMinutes: Int?
    let totalMinutes: Int?
    let yield: String?
    let completed: Bool
    let photo: String?
    let sourceIdentifier: String?
    let createdAt: String
    let owner: String?

    var tag: String { "\"\(version)\"" }

    static func find(_ id: String, _ database: Database) throws -> Recipe? {
        try fetchOne(database.cachedStatement(sql: "SELECT * FROM recipe WHERE id = ?"), arguments: [id])
    }
}

/// A row that a recipe owns.
protocol RecipePart: FetchableRecord, Decodable {
    var recipeID: String { get }
    /// The statement that reads the rows of recipes, without its condition.
    static var select: String { get }
}

struct Step: Codable, Equatable, RecipePart, PersistableRecord, Sendable {
    static let select = "SELECT * FROM step"
    let recipeID: String
    let position: Int
    let id: String
    let text: String
    let timerSeconds: Int?
}

struct Ingredient: Codable, Equatable, RecipePart, PersistableRecord, Sendable {
    static let select = "SELECT * FROM ingredient"
    let recipeID: String
    let position: Int
    let id: String
    let text: String
    let quantity: Double?
    let unit: String?
    let brand: String?
}

struct RecipeTag: Codable, PersistableRecord {
    let recipeID: String
    let position: Int
    let tagID: String
}

/// A tag of a recipe, with its name.
struct NamedTag: Codable, Equatable, RecipePart, Sendable {
    static let select = "SELECT recipeID, tag.id, tag.name FROM recipeTag JOIN tag ON tag.id = tagID"
    let recipeID: String
    let id: String
    let name: String
}

struct Tag: Codable, FetchableRecord, PersistableRecord {
    let id: String
    let name: String
}
