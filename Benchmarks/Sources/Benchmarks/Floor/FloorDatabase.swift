import CSQLite
import LarderDomain

/// The minimal use of SQLite's C API: one connection, statements prepared once, values bound and read in place.
///
/// Unchecked, because only one task at a time uses a connection: each task of a work has its own.
final class FloorDatabase: @unchecked Sendable {
    private let connection: OpaquePointer
    private let selectOne: OpaquePointer
    private let selectAll: OpaquePointer
    private let selectPrepared: OpaquePointer
    private let selectLines: OpaquePointer
    private let selectSums: OpaquePointer
    private let update: OpaquePointer?
    private let insert: OpaquePointer?
    private let begin: OpaquePointer
    private let commit: OpaquePointer
    private let journal: FloorJournal?

    /// - Parameter journals: Whether an update with its own transaction appends a row to the store's journal.
    init(path: String, isReadOnly: Bool, journals: Bool = false) throws {
        var opened: OpaquePointer?
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let code = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened = opened, code == SQLITE_OK else { throw FloorError(code: code, message: path) }
        connection = opened
        if !isReadOnly {
            sqlite3_exec(opened, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", nil, nil, nil)
        }
        selectOne = try Self.prepare("SELECT \(Self.columns) FROM dish WHERE id = ?1", opened)
        selectAll = try Self.prepare("SELECT \(Self.columns) FROM dish ORDER BY id", opened)
        selectPrepared = try Self.prepare(
            "SELECT \(Self.columns) FROM dish WHERE preparation_minutes = ?1 ORDER BY name, id", opened)
        selectLines = try Self.prepare("SELECT id, name, rating, preparation_minutes FROM dish ORDER BY id", opened)
        selectSums = try Self.prepare(
            "SELECT preparation_minutes, sum(rating) FROM dish WHERE preparation_minutes IS NOT NULL GROUP BY 1", opened
        )
        insert =
            isReadOnly
            ? nil
            : try Self.prepare(
                "INSERT INTO dish (\(Self.columns)) VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", opened)
        update =
            isReadOnly
            ? nil
            : try Self.prepare(
                "UPDATE dish SET rating = ?1, version = ?2 + 1 WHERE id = ?3 AND version = ?2", opened)
        begin = try Self.prepare("BEGIN IMMEDIATE", opened)
        commit = try Self.prepare("COMMIT", opened)
        journal = journals ? try FloorJournal(opened) : nil
    }

    private static let columns = """
        id, version, name, summary, author, difficulty, rating, preparation_minutes, cooking_minutes, is_completed, \
        created_at
        """

    deinit {
        let all: [OpaquePointer?] = [
            selectOne, selectAll, selectPrepared, selectLines, selectSums, update, insert, begin, commit,
        ]
        for statement in all { sqlite3_finalize(statement) }
        // Not `sqlite3_close`: the statement of the journal outlives this body, and `_v2` waits for it.
        sqlite3_close_v2(connection)
    }

    func dish(_ id: EntityID<Dish>) throws -> Stored<Dish>? {
        defer { sqlite3_reset(selectOne) }
        Self.bind(id.rawValue, 1, selectOne)
        return sqlite3_step(selectOne) == SQLITE_ROW ? Self.dish(in: selectOne) : nil
    }

    func dishes(capacity: Int = 0) throws -> [Stored<Dish>] {
        defer { sqlite3_reset(selectAll) }
        var dishes: [Stored<Dish>] = []
        dishes.reserveCapacity(capacity)
        while sqlite3_step(selectAll) == SQLITE_ROW { dishes.append(Self.dish(in: selectAll)) }
        return dishes
    }

    func dishes(prepared minutes: Int) throws -> [Stored<Dish>] {
        defer { sqlite3_reset(selectPrepared) }
        sqlite3_bind_int64(selectPrepared, 1, Int64(minutes))
        var dishes: [Stored<Dish>] = []
        while sqlite3_step(selectPrepared) == SQLITE_ROW { dishes.append(Self.dish(in: selectPrepared)) }
        return dishes
    }

    func lines(capacity: Int) throws -> [DishLine] {
        defer { sqlite3_reset(selectLines) }
        var lines: [DishLine] = []
        lines.reserveCapacity(capacity)
        while sqlite3_step(selectLines) == SQLITE_ROW {
            lines.append(
                DishLine(
                    id: EntityID(Self.id(0, selectLines)), name: Self.text(1, selectLines) ?? "",
                    rating: Int(sqlite3_column_int64(selectLines, 2)),
                    preparationMinutes: Self.integer(3, selectLines)))
        }
        return lines
    }

    func sumsOfRatings() throws -> [(minutes: Int, sum: Int)] {
        defer { sqlite3_reset(selectSums) }
        var sums: [(minutes: Int, sum: Int)] = []
        while sqlite3_step(selectSums) == SQLITE_ROW {
            sums.append((Int(sqlite3_column_int64(selectSums, 0)), Int(sqlite3_column_int64(selectSums, 1))))
        }
        return sums
    }

    /// Writes everything in one transaction.
    func insert(_ dishes: [Dish]) throws {
        try step(begin)
        for dish in dishes {
            Self.bind(dish.id.rawValue, 1, insert)
            Self.bind(dish.name, 2, insert)
            Self.bind(dish.summary, 3, insert)
            Self.bind(dish.author, 4, insert)
            sqlite3_bind_int64(insert, 5, Int64(dish.difficulty))
            sqlite3_bind_int64(insert, 6, Int64(dish.rating))
            Self.bind(dish.preparationMinutes, 7, insert)
            Self.bind(dish.cookingMinutes, 8, insert)
            sqlite3_bind_int64(insert, 9, dish.isCompleted ? 1 : 0)
            sqlite3_bind_int64(insert, 10, dish.createdAt.microseconds)
            try step(insert)
        }
        try step(commit)
    }

    /// Writes only the rating, with a specialized statement, in a separate transaction.
    func rate(_ dish: Stored<Dish>) throws {
        try step(begin)
        sqlite3_bind_int64(update, 1, Int64(dish.rating))
        sqlite3_bind_int64(update, 2, dish.version)
        Self.bind(dish.id.rawValue, 3, update)
        try step(update)
        guard sqlite3_changes(connection) == 1 else { throw FloorError(code: 0, message: "nothing updated") }
        try journal?.append(ids: 1)
        try step(commit)
    }

    private func step(_ statement: OpaquePointer?) throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else {
            throw FloorError(code: code, message: String(cString: sqlite3_errmsg(connection)))
        }
    }

    private static func prepare(_ sql: String, _ connection: OpaquePointer) throws -> OpaquePointer {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard let statement = statement else {
            throw FloorError(code: code, message: String(cString: sqlite3_errmsg(connection)))
        }
        return statement
    }
}
