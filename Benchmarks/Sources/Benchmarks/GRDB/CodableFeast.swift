import Foundation
import GRDB
import LarderDomain

/// An aggregate for GRDB in Codable records, read through associations.
struct CodableFeast: GRDBFeast, Decodable, FetchableRecord {
    private var feast: Root
    private var steps: [Step]
    private var ingredients: [Ingredient]
    private var labels: [Link]

    fileprivate struct Root: Codable, Equatable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "feast"
        let id: UUID
        var version: Int64
        var name: String
    }

    fileprivate struct Step: Codable, Equatable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "feast_step"
        let id: UUID
        var feast: UUID
        var position: Int
        var text: String
        var timerSeconds: Int?

        enum CodingKeys: String, CodingKey {
            case id, feast, position, text
            case timerSeconds = "timer_seconds"
        }
    }

    fileprivate struct Ingredient: Codable, Equatable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "feast_ingredient"
        let id: UUID
        var feast: UUID
        var position: Int
        var text: String
        var quantity: Double?
    }

    fileprivate struct Link: Codable, Equatable, FetchableRecord, PersistableRecord {
        static let databaseTableName = "feast_labels"
        var feast: UUID
        var position: Int
        var label: UUID
    }
}

extension CodableFeast {
    init(_ feast: Stored<Feast>) {
        let id = UUID(feast.id.rawValue)
        self.feast = Root(id: id, version: feast.version, name: feast.name)
        steps = feast.steps.enumerated().map {
            Step(id: UUID($1.id.rawValue), feast: id, position: $0, text: $1.text, timerSeconds: $1.timerSeconds)
        }
        ingredients = feast.ingredients.enumerated().map {
            Ingredient(id: UUID($1.id.rawValue), feast: id, position: $0, text: $1.text, quantity: $1.quantity)
        }
        labels = feast.labels.enumerated().map { Link(feast: id, position: $0, label: UUID($1.rawValue)) }
    }

    var id: UUID { feast.id }

    var sum: Sum {
        let steps = steps.reduce(0) { $0 + $1.text.utf8.count + ($1.timerSeconds ?? 0) }
        let ingredients = ingredients.reduce(0) { $0 + $1.text.utf8.count + Int($1.quantity ?? 0) }
        return Sum(count: 1, checksum: feast.name.utf8.count + steps + ingredients + labels.count + Int(feast.version))
    }

    mutating func changeStep(to text: String) { steps[changedStep].text = text }

    static func load(_ ids: [UUID], _ database: Database) throws -> [CodableFeast] {
        try Root.filter(ids.contains(Column("id")))
            .including(all: Root.steps).including(all: Root.ingredients).including(all: Root.labels)
            .asRequest(of: CodableFeast.self).fetchAll(database)
    }

    func insert(_ database: Database) throws {
        try feast.insert(database)
        for step in steps { try step.insert(database) }
        for ingredient in ingredients { try ingredient.insert(database) }
        for label in labels { try label.insert(database) }
    }

    func update(from stored: CodableFeast, _ database: Database) throws {
        let isSame = feast == stored.feast && ingredients == stored.ingredients && labels == stored.labels
        guard !isSame || steps != stored.steps else { return }
        for (old, new) in zip(stored.steps, steps) { try new.updateChanges(database, from: old) }
        try database.raiseVersion(of: id, expecting: feast.version)
    }
}

extension CodableFeast.Root {
    private static let owner = ForeignKey(["feast"])
    static let steps = hasMany(CodableFeast.Step.self, key: "steps", using: owner).order(Column("position"))
    static let ingredients = hasMany(CodableFeast.Ingredient.self, key: "ingredients", using: owner)
        .order(Column("position"))
    static let labels = hasMany(CodableFeast.Link.self, key: "labels", using: owner).order(Column("position"))
}
