import CSQLite
import LarderDomain

/// Loans and members on the C API.
///
/// Unchecked, because one task at a time uses it.
final class FloorLoans: @unchecked Sendable {
    private let connection: OpaquePointer
    private let begin, commit, all, ofBlocked, week, member, rename, removal: FloorStatement
    private let journal: FloorJournal

    init(_ path: String) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened, code == SQLITE_OK else { throw FloorError(code: code, message: path) }
        connection = opened
        sqlite3_exec(opened, "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON", nil, nil, nil)
        func prepared(_ sql: String) throws -> FloorStatement { try FloorStatement(sql, opened) }
        let columns = "SELECT id, version, member, due, title FROM loan"
        begin = try prepared("BEGIN IMMEDIATE")
        commit = try prepared("COMMIT")
        all = try prepared(columns + " ORDER BY id")
        ofBlocked = try prepared(columns + " WHERE member IN (SELECT id FROM member WHERE is_blocked = 1) ORDER BY id")
        week = try prepared("UPDATE loan SET due = date(due, '7 days'), version = version + 1")
        member = try prepared("SELECT id, version, email, name, is_blocked FROM member WHERE email = ?1")
        rename = try prepared("UPDATE member SET name = ?2, version = version + 1 WHERE id = ?1")
        removal = try prepared("DELETE FROM loan WHERE id IN (SELECT id FROM loan ORDER BY id LIMIT ?1)")
        journal = try FloorJournal(opened)
    }

    // Not `sqlite3_close`: statements outlive this body, and `_v2` waits for them.
    deinit { sqlite3_close_v2(connection) }

    func loans() throws -> [Loan] { read(all) }

    func loansOfBlockedMembers() throws -> [Loan] { read(ofBlocked) }

    /// Adds a week to all loans. Returns their number.
    func addWeek() throws -> Int {
        try begin.run()
        try week.run()
        let count = sqlite3_changes(connection)
        try journal.append(ids: 1)
        try commit.run()
        return Int(count)
    }

    /// Deletes the first loans.
    func remove(_ count: Int) throws {
        try begin.run()
        removal.bind(1, count)
        try removal.run()
        try journal.append(ids: count)
        try commit.run()
    }

    /// Writes the name of a member with an e-mail address, if it differs.
    func save(_ new: Member) throws {
        try begin.run()
        member.bind(1, new.email)
        var id: RawID?
        member.rows { row in
            if FloorDatabase.text(3, row) != new.name { id = FloorDatabase.id(0, row) }
        }
        if let id {
            rename.bind(1, id)
            rename.bind(2, new.name)
            try rename.run()
            try journal.append(ids: 1)
        }
        try commit.run()
    }

    private func read(_ statement: FloorStatement) -> [Loan] {
        var loans: [Loan] = []
        statement.rows { row in
            guard let due = FloorDatabase.text(3, row).flatMap({ CalendarDay($0) }) else { return }
            loans.append(
                Loan(
                    id: EntityID(FloorDatabase.id(0, row)), member: EntityID(FloorDatabase.id(2, row)), due: due,
                    title: FloorDatabase.text(4, row) ?? ""))
        }
        return loans
    }
}
