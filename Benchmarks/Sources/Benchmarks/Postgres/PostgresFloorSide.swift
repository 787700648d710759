#if Postgres
import CPostgres
import LarderDomain

/// libpq: the ratios of the other sides are relative to the one without a journal.
struct PostgresFloorSide: PostgresSide {
    let name: String
    private let floor: PostgresFloor
    /// Whether a write also appends a row to a copy of the store's journal, with the ids that it has written.
    private let journals: Bool
    private static let columns = """
        id, version, name, summary, author, difficulty, rating, preparation_minutes, cooking_minutes, is_completed, \
        created_at
        """

    /// Microseconds since 1970, which no work depends on.
    private static let time = 1_795_000_000_000_000

    init(_ connection: String, journals: Bool = false) throws {
        self.journals = journals
        name = journals ? "libpq, journal" : "libpq"
        floor = try PostgresFloor(connection)
        try floor.execute(
            "SET client_min_messages TO warning; "
                + "CREATE TABLE IF NOT EXISTS floor_journal (LIKE larder_journal INCLUDING ALL)")
        try floor.prepare([
            "begin": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "commit": "COMMIT",
            "dish": "SELECT \(Self.columns) FROM dish WHERE id = $1",
            "prepared": "SELECT \(Self.columns) FROM dish WHERE preparation_minutes = $1 ORDER BY name, id",
            "from": "SELECT \(Self.columns) FROM dish WHERE id >= $1 ORDER BY id",
            "rate": "UPDATE dish SET rating = $1, version = version + 1 WHERE id = $2 AND version = $3",
            "rate and journal": """
            WITH updated AS (UPDATE dish SET rating = $1, version = version + 1 WHERE id = $2 AND version = $3 RETURNING id)
            INSERT INTO floor_journal (commit_id, committed_at, size, changes) SELECT id, $4, 1, uuid_send(id) FROM updated
            """,
            "journal": "INSERT INTO floor_journal (commit_id, committed_at, size, changes) VALUES ($1, $2, $3, $4)",
            "feast": "SELECT id, version, name FROM feast WHERE id = $1",
            "steps": "SELECT id, text, timer_seconds FROM feast_step WHERE feast = $1 ORDER BY position",
            "ingredients": "SELECT id, text, quantity FROM feast_ingredient WHERE feast = $1 ORDER BY position",
            "labels": "SELECT label FROM feast_labels WHERE feast = $1 ORDER BY position",
        ])
    }

    func read(_ ids: [EntityID<Dish>]) async throws -> Timed {
        try await .measure { try ids.sum { try dish($0)?.sum ?? Sum() } }
    }

    func read(preparedIn minutes: [Int]) async throws -> Timed {
        try await .measure { try minutes.sum { try dishes("prepared", .integer($0)).sum(\.sum) } }
    }

    func rate(_ ids: [EntityID<Dish>]) async throws -> Timed {
        let changed = try ids.compactMap { try dish($0)?.rerated }
        return try await .measure {
            for dish in changed where try self.dish(dish.id) != dish { try rate(dish) }
            return Sum(count: changed.count)
        }
    }

    private func rate(_ dish: Stored<Dish>) throws {
        let parameters: [PostgresFloor.Parameter] = [
            .integer(dish.entity.rating), .id(dish.id.rawValue), .integer(Int(dish.version)),
        ]
        try floor.run(
            journals ? "rate and journal" : "rate", parameters + (journals ? [.integer(Self.time)] : [])
        ) { result in
            guard PQcmdTuples(result).pointee == 49 else { throw PostgresFloor.Failure(message: "nothing updated") }
        }
    }

    func create(_ dishes: [Dish]) async throws -> Timed {
        try await .measure {
            var rest = dishes[...]
            if journals { try floor.execute("BEGIN") }
            try floor.copy(into: "dish (\(Self.columns))") { bytes in
                guard let dish = rest.popFirst() else { return false }
                dish.append(to: &bytes)
                return true
            }
            if journals {
                let ids = dishes.map(\.id.rawValue)
                let parameters: [PostgresFloor.Parameter] = [
                    .id(ids[0]), .integer(Self.time), .integer(ids.count), .ids(ids),
                ]
                try floor.run("journal", parameters) { _ in }
                try floor.execute("COMMIT")
            }
            return Sum(count: dishes.count)
        }
    }

    func read(_ ids: [EntityID<Feast>]) async throws -> Timed {
        try await .measure { try ids.sum { try feast($0)?.sum ?? Sum() } }
    }

    /// The sum of the dishes from an id on.
    func sum(from id: EntityID<Dish>) throws -> Sum { try dishes("from", .id(id.rawValue)).sum(\.sum) }

    /// Writes statistics and all pages, so that the server does not do so during the works.
    func settle() throws { for statement in ["VACUUM ANALYZE", "CHECKPOINT"] { try floor.execute(statement) } }

    /// Deletes the dishes from an id on.
    func delete(from id: EntityID<Dish>) throws {
        try floor.execute("DELETE FROM dish WHERE id >= '\(id.rawValue)'")
        try floor.execute("VACUUM dish")
    }

    private func dish(_ id: EntityID<Dish>) throws -> Stored<Dish>? {
        try floor.run("dish", [.id(id.rawValue)]) { PQntuples($0) == 0 ? nil : PostgresRow(result: $0, row: 0).dish }
    }

    private func dishes(_ statement: String, _ parameter: PostgresFloor.Parameter) throws -> [Stored<Dish>] {
        try floor.run(statement, [parameter]) { result in
            (0..<PQntuples(result)).map { PostgresRow(result: result, row: $0).dish }
        }
    }

    private func feast(_ id: EntityID<Feast>) throws -> Stored<Feast>? {
        var found: Stored<Feast>?
        let selects = ["feast", "steps", "ingredients", "labels"].map {
            ($0, [PostgresFloor.Parameter.id(id.rawValue)])
        }
        try floor.pipeline([("begin", [])] + selects + [("commit", [])]) { index, result in
            for row in (0..<PQntuples(result)).map({ PostgresRow(result: result, row: $0) }) {
                switch index {
                case 1:
                    let feast = Feast(
                        id: EntityID(row.id(0)), name: row.text(2) ?? "", steps: [], ingredients: [], labels: [])
                    found = Stored(feast, version: Int64(row.integer(1) ?? 0))
                case 2:
                    found?.entity.steps.append(
                        Feast.Step(id: EntityID(row.id(0)), text: row.text(1) ?? "", timerSeconds: row.integer(2)))
                case 3:
                    found?.entity.ingredients.append(
                        Feast.Ingredient(id: EntityID(row.id(0)), text: row.text(1) ?? "", quantity: row.real(2)))
                default: found?.entity.labels.append(EntityID(row.id(0)))
                }
            }
        }
        return found
    }
}
#endif
