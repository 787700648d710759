import CSQLite
import LarderDomain

/// The least that a program on SQLite's C API does: one connection, statements prepared once, values bound and read in
/// place.
///
/// Unchecked, because a connection is used by one task at a time: each task of a work has its own.
final class FloorDatabase: @unchecked Sendable {
    private let connection: OpaquePointer
    private let selectOne: OpaquePointer
    private let selectAll: OpaquePointer
    private let update: OpaquePointer?
    private let begin: OpaquePointer
    private let commit: OpaquePointer

    init(path: String, isReadOnly: Bool) throws {
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
        update =
            isReadOnly
            ? nil
            : try Self.prepare(
                "UPDATE dish SET rating = ?1, version = ?2 + 1 WHERE id = ?3 AND version = ?2", opened)
        begin = try Self.prepare("BEGIN IMMEDIATE", opened)
        commit = try Self.prepare("COMMIT", opened)
    }

    private static let columns = """
        id, version, name, summary, author, difficulty, rating, preparation_minutes, cooking_minutes, is_completed, \
        created_at
        """

    deinit {
        for statement in [selectOne, selectAll, update, begin, commit] {
            sqlite3_finalize(statement)
        }
        sqlite3_close(connection)
    }

    func dish(_ id: EntityID<Dish>) throws -> Stored<Dish>? {
        defer { sqlite3_reset(selectOne) }
        Self.bind(id.rawValue, 1, selectOne)
        return sqlite3_step(selectOne) == SQLITE_ROW ? Self.dish(in: selectOne) : nil
    }

    func dishes(capacity: Int) throws -> [Stored<Dish>] {
        defer { sqlite3_reset(selectAll) }
        var dishes: [Stored<Dish>] = []
        dishes.reserveCapacity(capacity)
        while sqlite3_step(selectAll) == SQLITE_ROW { dishes.append(Self.dish(in: selectAll)) }
        return dishes
    }

    /// Writes the rating alone, as a statement made for the purpose would, in a transaction of its own.
    func rate(_ dish: Stored<Dish>) throws {
        try step(begin)
        sqlite3_bind_int64(update, 1, Int64(dish.rating))
        sqlite3_bind_int64(update, 2, dish.version)
        Self.bind(dish.id.rawValue, 3, update)
        try step(update)
        guard sqlite3_changes(connection) == 1 else { throw FloorError(code: 0, message: "nothing updated") }
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
