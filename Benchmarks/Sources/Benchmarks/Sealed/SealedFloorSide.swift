import CSQLite
import Crypto
import LarderDomain

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// SQLite's C API with AES-GCM: each summary is bound to the id of its row.
///
/// Unchecked, because one task at a time uses it.
final class SealedFloorSide: SealedSide, @unchecked Sendable {
    let name: String
    private let rows: Int
    private let connection: OpaquePointer
    private let begin, commit, insert, selectOne, selectAll, update: FloorStatement
    private let journal: FloorJournal?
    private let key = SymmetricKey(data: SealedWorks.key)

    /// - Parameters:
    ///   - rows: The number of dishes, so that an array of all of them never grows.
    ///   - journals: Whether a transaction also appends a row to the store's journal, with the ids that it has written.
    init(_ path: String, rows: Int, journals: Bool = true) throws {
        (name, self.rows) = (journals ? "C API" : "C API, no journal", rows)
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened, code == SQLITE_OK else { throw FloorError(code: code, message: path) }
        connection = opened
        sqlite3_exec(opened, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", nil, nil, nil)
        let columns = """
            id, version, name, summary, author, difficulty, rating, preparation_minutes, cooking_minutes, is_completed, \
            created_at
            """
        func prepared(_ sql: String) throws -> FloorStatement { try FloorStatement(sql, opened) }
        begin = try prepared("BEGIN IMMEDIATE")
        commit = try prepared("COMMIT")
        insert = try prepared("INSERT INTO dish (\(columns)) VALUES (?1, 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
        selectOne = try prepared("SELECT \(columns) FROM dish WHERE id = ?1")
        selectAll = try prepared("SELECT \(columns) FROM dish ORDER BY id")
        journal = journals ? try FloorJournal(opened) : nil
        update = try prepared("UPDATE dish SET rating = ?1, version = ?2 + 1 WHERE id = ?3 AND version = ?2")
    }

    deinit { sqlite3_close_v2(connection) }

    func insert(_ dishes: [Dish], into path: String) async throws -> Timed {
        let side = try SealedFloorSide(path, rows: dishes.count, journals: journal != nil)
        let duration = try Timed.duration { try side.fill(dishes) }
        return Timed(duration: duration, sum: try side.all().sum(\.sum))
    }

    func readAll() async throws -> Timed { try await .measure { try all().sum(\.sum) } }

    func rate(_ ids: [EntityID<Dish>]) async throws -> Timed {
        let changed = try ids.compactMap(dish).map(\.rerated)
        let duration = try Timed.duration {
            for dish in changed where try self.dish(dish.entity.id) != dish { try rate(dish) }
        }
        return Timed(duration: duration, sum: try ids.compactMap(dish).sum(\.sum))
    }

    /// Writes dishes in one transaction.
    func fill(_ dishes: [Dish]) throws {
        try begin.run()
        for dish in dishes {
            insert.bind(1, dish.id.rawValue)
            insert.bind(2, dish.name)
            try bindSealed(dish.summary, of: dish.id.rawValue)
            insert.bind(4, dish.author)
            insert.bind(5, dish.difficulty)
            insert.bind(6, dish.rating)
            insert.bind(7, dish.preparationMinutes)
            insert.bind(8, dish.cookingMinutes)
            insert.bind(9, dish.isCompleted ? 1 : 0)
            insert.bind(10, Int(dish.createdAt.microseconds))
            try insert.run()
        }
        try end(writing: dishes.count)
    }

    private func rate(_ dish: Stored<Dish>) throws {
        try begin.run()
        update.bind(1, dish.entity.rating)
        update.bind(2, Int(dish.version))
        update.bind(3, dish.entity.id.rawValue)
        try update.run()
        guard sqlite3_changes(connection) == 1 else { throw FloorError(code: 0, message: "nothing updated") }
        try end(writing: 1)
    }

    private func end(writing count: Int) throws {
        try journal?.append(ids: count)
        try commit.run()
    }

    private func all() throws -> [Stored<Dish>] {
        var dishes: [Stored<Dish>] = []
        dishes.reserveCapacity(rows)
        defer { sqlite3_reset(selectAll.handle) }
        while sqlite3_step(selectAll.handle) == SQLITE_ROW { dishes.append(try dish(in: selectAll.handle)) }
        return dishes
    }

    private func dish(_ id: EntityID<Dish>) throws -> Stored<Dish>? {
        selectOne.bind(1, id.rawValue)
        defer { sqlite3_reset(selectOne.handle) }
        return sqlite3_step(selectOne.handle) == SQLITE_ROW ? try dish(in: selectOne.handle) : nil
    }

    private func bindSealed(_ text: String?, of id: RawID) throws {
        guard let text else { return _ = sqlite3_bind_null(insert.handle, 3) }
        let box = try AES.GCM.seal(Array(text.utf8), using: key, authenticating: Self.bytes(id))
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        (box.combined ?? Data()).withUnsafeBytes {
            _ = sqlite3_bind_blob(insert.handle, 3, $0.baseAddress, Int32($0.count), transient)
        }
    }

    private func dish(in statement: OpaquePointer) throws -> Stored<Dish> {
        let id = FloorDatabase.id(0, statement)
        let dish = Dish(
            id: EntityID(id), name: FloorDatabase.text(2, statement) ?? "", summary: try opened(3, of: id, statement),
            author: FloorDatabase.text(4, statement), difficulty: Int(sqlite3_column_int64(statement, 5)),
            rating: Int(sqlite3_column_int64(statement, 6)),
            preparationMinutes: FloorDatabase.integer(7, statement),
            cookingMinutes: FloorDatabase.integer(8, statement),
            isCompleted: sqlite3_column_int64(statement, 9) != 0,
            createdAt: Timestamp(microseconds: sqlite3_column_int64(statement, 10)))
        return Stored(dish, version: sqlite3_column_int64(statement, 1))
    }

    private func opened(_ column: Int32, of id: RawID, _ statement: OpaquePointer) throws -> String? {
        guard let bytes = sqlite3_column_blob(statement, column) else { return nil }
        let box = try AES.GCM.SealedBox(
            combined: UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
        return String(
            decoding: try AES.GCM.open(box, using: key, authenticating: Self.bytes(id)), as: UTF8.self)
    }

    private static func bytes(_ id: RawID) -> [UInt8] {
        withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian)) { Array($0) }
    }
}
