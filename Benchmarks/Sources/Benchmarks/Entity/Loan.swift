import LarderData
import LarderDomain

struct Member: Entity {
    let id: EntityID<Member>
    var email: String
    var name: String
    var isBlocked: Bool

    init(id: EntityID<Member>, email: String, name: String, isBlocked: Bool) {
        (self.id, self.email, self.name, self.isBlocked) = (id, email, name, isBlocked)
    }

    /// One of a hundred is blocked.
    init(_ number: Int, id high: UInt64 = 1, named name: String = "A member") {
        self.init(
            id: EntityID(RawID(high: high, low: UInt64(number))), email: "\(number)@example.org", name: name,
            isBlocked: number % 100 == 0)
    }
}

enum MemberMapper: EntityMapper {
    static let mapping = Mapping<Member>(
        "member", id: \.id,
        [.column("email", \.email).unique, .column("name", \.name), .column("is_blocked", \.isBlocked).indexed])

    static func entity(from row: inout ObjectReader) throws -> Member {
        try Member(id: row.id(), email: row.next(), name: row.next(), isBlocked: row.next())
    }
}

struct Loan: Entity {
    let id: EntityID<Loan>
    let member: EntityID<Member>
    var due: CalendarDay
    var title: String

    var sum: Sum { Sum(count: 1, checksum: title.utf8.count + Int(truncatingIfNeeded: member.rawValue.low) + due.day) }
}

extension Loan {
    /// A day that exists in each month.
    init?(_ number: Int, _ member: Member) {
        guard let due = CalendarDay(year: 2026, month: 1 + number % 12, day: 1 + number % 28) else { return nil }
        self.init(
            id: EntityID(RawID(high: 2, low: UInt64(number))), member: member.id, due: due,
            title: "The title of the book of loan \(number)")
    }
}

enum LoanMapper: EntityMapper {
    static let mapping = Mapping<Loan>(
        "loan", id: \.id,
        [
            .reference("member", \.member, onDelete: .refuse), .column("due", \.due).settable,
            .column("title", \.title),
        ])

    static func entity(from row: inout ObjectReader) throws -> Loan {
        try Loan(id: row.id(), member: row.next(), due: row.next(), title: row.next())
    }
}
