import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The members, books and loans of a town library.
private struct Member: Entity {
    let id: EntityID<Member>
    var email: String
    var isBlocked = false
}

private struct Title: Entity {
    let id: EntityID<Title>
    var isbn: String
    var name: String
}

private struct Loan: Entity {
    let id: EntityID<Loan>
    var member: EntityID<Member>
    var title: EntityID<Title>
    var branch: String
    var lent: CalendarDay
    var due: CalendarDay
}

private enum MemberMapper: EntityMapper {
    static let mapping = Mapping<Member>(
        "member", id: \.id, [.column("email", \.email).unique, .column("is_blocked", \.isBlocked)])

    static func entity(from row: inout ObjectReader) throws -> Member {
        try Member(id: row.id(), email: row.next(), isBlocked: row.next())
    }
}

private enum TitleMapper: EntityMapper {
    static let mapping = Mapping<Title>(
        "title", id: \.id, [.column("isbn", \.isbn).unique, .column("name", \.name)])

    static func entity(from row: inout ObjectReader) throws -> Title {
        try Title(id: row.id(), isbn: row.next(), name: row.next())
    }
}

private enum LoanMapper: EntityMapper {
    static let mapping = Mapping<Loan>(
        "loan", id: \.id,
        [
            .reference("member", \.member, onDelete: .refuse), .reference("title", \.title, onDelete: .refuse),
            .column("branch", \.branch).indexed, .column("lent", \.lent), .column("due", \.due).settable,
        ])

    static func entity(from row: inout ObjectReader) throws -> Loan {
        try Loan(
            id: row.id(), member: row.next(), title: row.next(), branch: row.next(), lent: row.next(), due: row.next())
    }
}

/// The wishes of a town library, one call each.
struct TownLibraryTests {
    private let manager: StoreManager
    private let ids = UUIDv7Generator()
    private let members: [Member]
    private let titles: [Title]

    init() async throws {
        let mappers = try MapperSet([MemberMapper.self, TitleMapper.self, LoanMapper.self])
        let store = try await SQLiteStore.open(.init(.memory), schemas: mappers.schemas)
        manager = StoreManager(store, mappers: mappers)
        let ids = ids
        members = (0..<4).map { Member(id: ids.next(), email: "\($0)@example.org", isBlocked: $0 == 3) }
        titles = (0..<12).map { Title(id: ids.next(), isbn: "978-\($0)", name: "Title \($0)") }
        try await manager.create(contentsOf: members)
        try await manager.create(contentsOf: titles)
        // Title n is lent n times, in the months of a year in turn.
        for (number, title) in titles.enumerated() {
            for copy in 0..<number {
                let lent = try #require(CalendarDay(year: 2026, month: copy % 12 + 1, day: 3))
                let due = try #require(lent.adding(weeks: 4))
                try await manager.create(
                    Loan(
                        id: ids.next(), member: members[copy % 4].id, title: title.id,
                        branch: number % 2 == 0 ? "harbour" : "hill", lent: lent, due: due))
            }
        }
    }

    @Test func `the loans of blocked members`() async throws {
        let blocked = Query<Member>(#Predicate { $0.isBlocked })
        let loans = try await manager.read(Query<Loan>(related: [.to(\.member, blocked)])).items
        #expect(loans.count == 12 && loans.allSatisfy { $0.member == members[3].id })
    }

    @Test func `the ten titles that were lent most`() async throws {
        let found = try await manager.aggregates(
            Query<Loan>(), by: .value(\.title), of: .count, sortedBy: [.value(0, .descending)], limit: 10)
        #expect(found.map(\.values) == Array((2...11).reversed()))
        #expect(found.first?.keys == titles[11].id)
    }

    @Test func `the loans of each month`() async throws {
        let months = try await manager.aggregates(Query<Loan>(), by: .month(of: \.lent), of: .count)
        #expect(months.map(\.values) == Array((1...11).reversed()))
    }

    @Test func `a week more for all loans of a branch`() async throws {
        let before = try await manager.read(Query<Loan>()).items
        let count = try await manager.update(matching: Query<Loan>(#Predicate { $0.branch == "hill" })) {
            $0.add(\.due, days: 7)
        }
        #expect(count == 36)
        for (old, new) in zip(before, try await manager.read(Query<Loan>()).items) {
            #expect(old.due.days(to: new.due) == (old.branch == "hill" ? 7 : 0))
        }
    }

    @Test func `an import by ISBN`() async throws {
        let imported = (6..<30).map { Title(id: ids.next(), isbn: "978-\($0)", name: "Imported \($0)") }
        let saved = try await manager.save(contentsOf: imported, by: \.isbn)
        #expect(saved.count { $0.outcome == .updated } == 6 && saved.count { $0.outcome == .inserted } == 18)
        #expect(saved[0].stored.id == titles[6].id && saved[0].stored.name == "Imported 6")
    }
}
