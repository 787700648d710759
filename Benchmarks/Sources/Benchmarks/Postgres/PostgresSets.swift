#if Postgres
import CPostgres
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderPostgres

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// P8 and P9: a condition on other entities, and an update by query, on loans and members; the same SQL by libpq.
enum PostgresSets {
    static func run(_ count: Int, passes: Int, _ server: String) async throws {
        try PostgresFloor(server).execute(
            "SET client_min_messages TO warning; DROP SCHEMA IF EXISTS sets CASCADE; CREATE SCHEMA sets")
        let mappers = try MapperSet([MemberMapper.self, LoanMapper.self])
        let store = try await PostgresStore.open(.init(server, schema: "sets"), schemas: mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        try await SetWorks.fill(manager, count)
        let floor = try PostgresFloor(server + " options='-csearch_path=sets'")
        try floor.execute("VACUUM ANALYZE")
        try floor.prepare([
            "blocked": """
            SELECT id, version, member, due, title FROM loan WHERE member IN (SELECT id FROM member WHERE is_blocked = 1)
            ORDER BY id
            """,
            "week": "UPDATE loan SET due = to_char(due::date + 7, 'YYYY-MM-DD'), version = version + 1",
        ])
        Report.row("work on sets", ["libpq µs", "Larder: ratio", "target"], width: Report.width)
        let blocked = Query<Member>(#Predicate { $0.isBlocked })
        try await SetWorks.compare("P8 loans of blocked members, each", count / 100, 1.3, passes) { _ in
            try floor.run("blocked", []) { result in
                (0..<PQntuples(result)).map { Loan(PostgresRow(result: result, row: $0)) }
            }.sum { $0?.sum ?? Sum() }
        } larder: { _ in
            try await manager.read(Query<Loan>(related: [.to(\.member, blocked)])).items.sum { $0.entity.sum }
        }
        try await SetWorks.compare("P9 update of all loans by query, each", count, 3, passes) { _ in
            try floor.run("week", []) { Sum(count: Int(String(cString: PQcmdTuples($0))) ?? 0) }
        } larder: { _ in
            Sum(count: try await manager.update(matching: Query<Loan>()) { $0.add(\.due, days: 7) })
        }
        await store.close()
    }
}

extension Loan {
    fileprivate init?(_ row: PostgresRow) {
        guard let due = row.text(3).flatMap({ CalendarDay($0) }) else { return nil }
        self.init(id: EntityID(row.id(0)), member: EntityID(row.id(2)), due: due, title: row.text(4) ?? "")
    }
}
#endif
