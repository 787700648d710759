import Foundation
import GRDB
import LarderDomain

/// An aggregate for GRDB, written by hand: a statement for each table, columns by index.
struct FeastRows: GRDBFeast {
    private var feast: Stored<Feast>

    init(_ feast: Stored<Feast>) { self.feast = feast }

    var id: UUID { UUID(feast.id.rawValue) }
    var sum: Sum { feast.sum }

    mutating func changeStep(to text: String) { feast = feast.withStep(text) }

    static func load(_ ids: [UUID], _ database: Database) throws -> [FeastRows] {
        let list = ids.count == 1 ? "= ?" : "IN (\(databaseQuestionMarks(count: ids.count)))"
        let arguments = StatementArguments(ids)
        func rows<Record: FetchableRecord>(_ select: String, of column: String, _ order: String) throws -> [Record] {
            let statement = try database.cachedStatement(sql: "\(select) WHERE \(column) \(list)\(order)")
            return try Record.fetchAll(statement, arguments: arguments)
        }
        let order = " ORDER BY feast, position"
        var feasts: [FeastRow] = try rows("SELECT id, version, name FROM feast", of: "id", "")
        let places = Dictionary(uniqueKeysWithValues: feasts.enumerated().map { ($1.feast.id.rawValue, $0) })
        func append<Record: OwnedRow>(_ rows: [Record]) {
            for row in rows { if let place = places[row.feast.rawID] { row.append(to: &feasts[place].feast) } }
        }
        append(try rows(StepRow.select, of: "feast", order) as [StepRow])
        append(try rows(IngredientRow.select, of: "feast", order) as [IngredientRow])
        append(try rows(LabelRow.select, of: "feast", order) as [LabelRow])
        return feasts.map { FeastRows(Stored($0.feast, version: $0.version)) }
    }

    func insert(_ database: Database) throws {
        try FeastRow(feast: feast.entity, version: feast.version).insert(database)
        for (position, step) in feast.steps.enumerated() {
            try StepRow(feast: id, position: position, step: step).insert(database)
        }
        for (position, ingredient) in feast.ingredients.enumerated() {
            try IngredientRow(feast: id, position: position, ingredient: ingredient).insert(database)
        }
        for (position, label) in feast.labels.enumerated() {
            try LabelRow(feast: id, position: position, label: UUID(label.rawValue)).insert(database)
        }
    }

    func update(from stored: FeastRows, _ database: Database) throws {
        guard feast != stored.feast else { return }
        for (position, (old, new)) in zip(stored.feast.steps, feast.steps).enumerated() where old != new {
            let old = StepRow(feast: id, position: position, step: old)
            try StepRow(feast: id, position: position, step: new).updateChanges(database, from: old)
        }
        try database.raiseVersion(of: id, expecting: feast.version)
    }
}

/// A row that an aggregate owns.
private protocol OwnedRow: FetchableRecord, PersistableRecord {
    var feast: UUID { get }
    func append(to feast: inout Feast)
}

private struct FeastRow: FetchableRecord, PersistableRecord {
    static let databaseTableName = "feast"
    var feast: Feast
    let version: Int64

    init(feast: Feast, version: Int64) { (self.feast, self.version) = (feast, version) }

    init(row: Row) {
        let id: UUID = row[0]
        version = row[1]
        feast = Feast(id: EntityID(id.rawID), name: row[2], steps: [], ingredients: [], labels: [])
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = UUID(feast.id.rawValue)
        container["version"] = version
        container["name"] = feast.name
    }
}

private struct StepRow: OwnedRow {
    static let databaseTableName = "feast_step"
    static let select = "SELECT feast, position, id, text, timer_seconds FROM feast_step"
    let feast: UUID
    let position: Int
    let step: Feast.Step

    init(feast: UUID, position: Int, step: Feast.Step) {
        (self.feast, self.position, self.step) = (feast, position, step)
    }

    init(row: Row) {
        let id: UUID = row[2]
        (feast, position) = (row[0], row[1])
        step = Feast.Step(id: EntityID(id.rawID), text: row[3], timerSeconds: row[4])
    }

    func append(to feast: inout Feast) { feast.steps.append(step) }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = UUID(step.id.rawValue)
        container["feast"] = feast
        container["position"] = position
        container["text"] = step.text
        container["timer_seconds"] = step.timerSeconds
    }
}

private struct IngredientRow: OwnedRow {
    static let databaseTableName = "feast_ingredient"
    static let select = "SELECT feast, position, id, text, quantity FROM feast_ingredient"
    let feast: UUID
    let position: Int
    let ingredient: Feast.Ingredient

    init(feast: UUID, position: Int, ingredient: Feast.Ingredient) {
        (self.feast, self.position, self.ingredient) = (feast, position, ingredient)
    }

    init(row: Row) {
        let id: UUID = row[2]
        (feast, position) = (row[0], row[1])
        ingredient = Feast.Ingredient(id: EntityID(id.rawID), text: row[3], quantity: row[4])
    }

    func append(to feast: inout Feast) { feast.ingredients.append(ingredient) }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = UUID(ingredient.id.rawValue)
        container["feast"] = feast
        container["position"] = position
        container["text"] = ingredient.text
        container["quantity"] = ingredient.quantity
    }
}

private struct LabelRow: OwnedRow {
    static let databaseTableName = "feast_labels"
    static let select = "SELECT feast, position, label FROM feast_labels"
    let feast: UUID
    let position: Int
    let label: UUID

    init(feast: UUID, position: Int, label: UUID) { (self.feast, self.position, self.label) = (feast, position, label) }

    init(row: Row) { (feast, position, label) = (row[0], row[1], row[2]) }

    func append(to feast: inout Feast) { feast.labels.append(EntityID(label.rawID)) }

    func encode(to container: inout PersistenceContainer) {
        container["feast"] = feast
        container["position"] = position
        container["label"] = label
    }
}
