import CSQLite
import LarderDomain

/// Aggregates on the C API, with the minimal number of statements: one for each table.
///
/// Unchecked, because one task at a time uses it.
final class FloorFeasts: @unchecked Sendable {
    private let connection: OpaquePointer
    private let begin, beginWriting, commit: FloorStatement
    private let insertFeast, insertStep, insertIngredient, insertLabel: FloorStatement
    private let feast, steps, ingredients, labels: FloorStatement
    private let hundredFeasts, hundredSteps, hundredIngredients, hundredLabels: FloorStatement
    private let updateStep, raiseVersion: FloorStatement
    private let journal: FloorJournal?

    /// - Parameter journals: Whether a transaction that inserts or updates also appends a row to the store's journal.
    init(path: String, journals: Bool = false) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened, code == SQLITE_OK else { throw FloorError(code: code, message: path) }
        connection = opened
        sqlite3_exec(opened, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", nil, nil, nil)
        func prepared(_ sql: String) throws -> FloorStatement { try FloorStatement(sql, opened) }
        begin = try prepared("BEGIN")
        beginWriting = try prepared("BEGIN IMMEDIATE")
        commit = try prepared("COMMIT")
        insertFeast = try prepared("INSERT INTO feast (id, version, name) VALUES (?1, 1, ?2)")
        insertStep = try prepared(
            "INSERT INTO feast_step (id, feast, position, text, timer_seconds) VALUES (?1, ?2, ?3, ?4, ?5)")
        insertIngredient = try prepared(
            "INSERT INTO feast_ingredient (id, feast, position, text, quantity) VALUES (?1, ?2, ?3, ?4, ?5)")
        insertLabel = try prepared("INSERT INTO feast_labels (feast, position, label) VALUES (?1, ?2, ?3)")
        feast = try prepared("SELECT id, version, name FROM feast WHERE id = ?1")
        let stepColumns = "SELECT feast, id, text, timer_seconds FROM feast_step WHERE feast "
        let ingredientColumns = "SELECT feast, id, text, quantity FROM feast_ingredient WHERE feast "
        let labelColumns = "SELECT feast, label FROM feast_labels WHERE feast "
        let order = " ORDER BY feast, position"
        steps = try prepared(stepColumns + "= ?1" + order)
        ingredients = try prepared(ingredientColumns + "= ?1" + order)
        labels = try prepared(labelColumns + "= ?1" + order)
        let hundred = "IN (" + (1...100).map { "?\($0)" }.joined(separator: ", ") + ")"
        hundredFeasts = try prepared("SELECT id, version, name FROM feast WHERE id " + hundred)
        hundredSteps = try prepared(stepColumns + hundred + order)
        hundredIngredients = try prepared(ingredientColumns + hundred + order)
        hundredLabels = try prepared(labelColumns + hundred + order)
        updateStep = try prepared("UPDATE feast_step SET text = ?2 WHERE id = ?1")
        raiseVersion = try prepared("UPDATE feast SET version = version + 1 WHERE id = ?1 AND version = ?2")
        journal = journals ? try FloorJournal(opened) : nil
    }

    // Not `sqlite3_close`: statements outlive this body, and `_v2` waits for them.
    deinit { sqlite3_close_v2(connection) }

    func insert(_ feast: Feast) throws {
        try beginWriting.run()
        insertFeast.bind(1, feast.id.rawValue)
        insertFeast.bind(2, feast.name)
        try insertFeast.run()
        for (position, step) in feast.steps.enumerated() {
            insertStep.bind(1, step.id.rawValue)
            insertStep.bind(2, feast.id.rawValue)
            insertStep.bind(3, position)
            insertStep.bind(4, step.text)
            insertStep.bind(5, step.timerSeconds)
            try insertStep.run()
        }
        for (position, ingredient) in feast.ingredients.enumerated() {
            insertIngredient.bind(1, ingredient.id.rawValue)
            insertIngredient.bind(2, feast.id.rawValue)
            insertIngredient.bind(3, position)
            insertIngredient.bind(4, ingredient.text)
            insertIngredient.bind(5, ingredient.quantity)
            try insertIngredient.run()
        }
        for (position, label) in feast.labels.enumerated() {
            insertLabel.bind(1, feast.id.rawValue)
            insertLabel.bind(2, position)
            insertLabel.bind(3, label.rawValue)
            try insertLabel.run()
        }
        try journal?.append(ids: 1)
        try commit.run()
    }

    /// Reads, compares, and writes the one step that differs.
    func update(_ changed: Stored<Feast>) throws {
        guard let stored = try load([changed.id], (feast, steps, ingredients, labels)).first else { return }
        let different = zip(stored.steps, changed.steps).filter { $0 != $1 }
        let isSame =
            stored.name == changed.name && stored.ingredients == changed.ingredients
            && stored.labels == changed.labels && different.isEmpty
        if isSame { return }
        try beginWriting.run()
        for (_, step) in different {
            updateStep.bind(1, step.id.rawValue)
            updateStep.bind(2, step.text)
            try updateStep.run()
        }
        raiseVersion.bind(1, changed.id.rawValue)
        raiseVersion.bind(2, Int(changed.version))
        try raiseVersion.run()
        try journal?.append(ids: 1)
        try commit.run()
    }

    func load(_ id: EntityID<Feast>) throws -> Stored<Feast>? {
        try load([id], (feast, steps, ingredients, labels)).first
    }

    func loadHundred(_ ids: [EntityID<Feast>]) throws -> [Stored<Feast>] {
        try load(ids, (hundredFeasts, hundredSteps, hundredIngredients, hundredLabels))
    }

    /// Deletes a label and its links, and raises the versions of the feasts that had it.
    func delete(_ label: EntityID<Label>) throws {
        let sql = [
            "UPDATE feast SET version = version + 1 WHERE id IN (SELECT feast FROM feast_labels WHERE label = ?1)",
            "DELETE FROM feast_labels WHERE label = ?1", "DELETE FROM label WHERE id = ?1",
        ]
        try beginWriting.run()
        for text in sql {
            let statement = try FloorStatement(text, connection)
            statement.bind(1, label.rawValue)
            try statement.run()
        }
        try commit.run()
    }

    /// The sum of all versions, and the numbers of links and labels.
    func state() throws -> [Int64] {
        var state: [Int64] = []
        for sql in ["sum(version) FROM feast", "count(*) FROM feast_labels", "count(*) FROM label"] {
            try FloorStatement("SELECT " + sql, connection).rows { state.append(sqlite3_column_int64($0, 0)) }
        }
        return state
    }

    private typealias Selects = (FloorStatement, FloorStatement, FloorStatement, FloorStatement)

    private func load(_ ids: [EntityID<Feast>], _ selects: Selects) throws -> [Stored<Feast>] {
        try begin.run()
        var found: [Stored<Feast>] = []
        var places: [RawID: Int] = [:]
        for statement in [selects.0, selects.1, selects.2, selects.3] {
            for (index, id) in ids.enumerated() { statement.bind(Int32(index + 1), id.rawValue) }
        }
        selects.0.rows { row in
            let id = FloorDatabase.id(0, row)
            places[id] = found.count
            let feast = Feast(
                id: EntityID(id), name: FloorDatabase.text(2, row) ?? "", steps: [], ingredients: [], labels: [])
            found.append(Stored(feast, version: sqlite3_column_int64(row, 1)))
        }
        selects.1.rows { row in
            guard let place = places[FloorDatabase.id(0, row)] else { return }
            found[place].entity.steps.append(
                Feast.Step(
                    id: EntityID(FloorDatabase.id(1, row)), text: FloorDatabase.text(2, row) ?? "",
                    timerSeconds: FloorDatabase.integer(3, row)))
        }
        selects.2.rows { row in
            guard let place = places[FloorDatabase.id(0, row)] else { return }
            let isNull = sqlite3_column_type(row, 3) == SQLITE_NULL
            found[place].entity.ingredients.append(
                Feast.Ingredient(
                    id: EntityID(FloorDatabase.id(1, row)), text: FloorDatabase.text(2, row) ?? "",
                    quantity: isNull ? nil : sqlite3_column_double(row, 3)))
        }
        selects.3.rows { row in
            guard let place = places[FloorDatabase.id(0, row)] else { return }
            found[place].entity.labels.append(EntityID(FloorDatabase.id(1, row)))
        }
        try commit.run()
        return found
    }
}
