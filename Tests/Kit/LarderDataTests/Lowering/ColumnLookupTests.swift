import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Lookups by the name of a column and a text.
struct ColumnLookupTests {
    private struct Shops: EntityRepository {
        typealias Model = Shop

        let manager: any PersistencyManager
    }

    private static let owner = Person(7, "Ann")
    private static let full = Shop(
        1, name: "Cafe\u{301} = 1", motto: "", staff: -3, rent: 2.5, isOpen: true, opened: 1_772_389_800_000_001,
        founded: CalendarDay("2026-03-01"), logo: [1], owner: owner.id, shelves: [Shelf(1, "a")], regulars: [owner.id])
    private static let empty = Shop(2, name: "", rent: 1)

    private let shops: Shops

    init() async throws {
        shops = Shops(manager: try Fixture().manager)
        try await shops.manager.create(Self.owner)
        try await shops.create(contentsOf: [Self.full, Self.empty])
    }

    @Test(
        arguments: [
            ("id", "\(full.id)", [full]), ("id", "\(full.id)".uppercased(), [full]),
            ("name", "Cafe\u{301} = 1", [full]), ("name", "Caf\u{E9} = 1", [full]), ("name", "café", []),
            ("name", "", [empty]), ("folded_name", "caf\u{E9} = 1", [full]), ("motto", "", [full]),
            ("motto", nil, [empty]),
            ("staff", "-3", [full]), ("staff", "4", []), ("staff", "", [empty]), ("staff", nil, [empty]),
            ("rent", "2.5", [full]), ("rent", "1", [empty]), ("is_open", "true", [full]), ("is_open", "false", [empty]),
            ("opened", "2026-03-01T18:30:00.000001Z", [full]), ("opened", "1970-01-01T01:00:00+01:00", [empty]),
            ("founded", "2026-03-01", [full]), ("founded", "", [empty]), ("owner", "\(owner.id)", [full]),
            ("owner", "", [empty]), ("sign", nil, [full, empty]),
        ] as [(String, String?, [Shop])])
    func `a text finds the entities with its value, in a column of any type`(
        column: String, text: String?, found: [Shop]
    ) async throws {
        let page = try await shops.find(column, equals: text, in: Query(includesTotal: true))
        #expect(page.entities.map(\.id) == found.map(\.id) && page.total == found.count)
    }

    @Test(arguments: [
        ("staff", "four", "shop: staff must be an integer, not 'four'"),
        ("staff", "1.5", "shop: staff must be an integer, not '1.5'"),
        ("rent", "much", "shop: rent must be a number, not 'much'"),
        ("rent", "nan", "shop: rent must be a finite number"),
        ("is_open", "1", "shop: is_open must be true or false, not '1'"),
        ("is_open", "", "shop: is_open always has a value; look for one"),
        ("name", "a\0", "shop: name must not contain U+0000"),
        ("opened", "2026-03-01", "shop: opened must be an instant such as 2026-03-01T18:30:00Z, not '2026-03-01'"),
        ("founded", "2026-02-30", "shop: founded must be a day such as 2026-03-01, not '2026-02-30'"),
        ("logo", "01", "shop: logo contains bytes, which cannot be looked up"),
        ("owner", "Ann", "shop: owner must be an id such as 01890a5d-ac96-774b-bcce-b302099a8057, not 'Ann'"),
        ("id", "", "shop: id always has a value; look for one"),
        (
            "shelves", "a",
            "shop: shelves is not a column; the columns are id, name, folded_name, motto, staff, rent, is_open, opened, "
                + "founded, logo, sign, branch_of, owner"
        ),
    ])
    func `an unknown column and a text of another type are errors that name the column`(
        column: String, text: String, message: String
    ) async {
        let error = await persistencyError { _ = try await shops.find(column, equals: text) }
        guard case .invalid(let field) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect("\(field)" == message)
    }

    @Test func `a SQLite store finds the same as a memory store`() async throws {
        let mappers = try MapperSet(Fixture.mappers)
        let store = try await SQLiteStore.open(.init(.memory), schemas: mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        try await manager.create(Self.owner)
        try await manager.create(contentsOf: [Self.full, Self.empty])
        let sqlite = Shops(manager: manager)
        for (column, text) in [("name", "Caf\u{E9} = 1"), ("staff", ""), ("rent", "2.5"), ("id", "\(Self.full.id)")] {
            let found = try await sqlite.find(column, equals: text).entities.map(\.id)
            #expect(try await found == shops.find(column, equals: text).entities.map(\.id) && found.count == 1)
        }
        await store.close()
    }

    @Test func `an absent value in a column that always has one is an error`() async {
        let error = await persistencyError { _ = try await shops.find("name", equals: nil) }
        guard case .invalid(let field) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect("\(field)" == "shop: name always has a value; look for one")
    }

    @Test func `lookups combine with each other, an order and pages, and a cursor belongs to one of them`() async throws
    {
        for number in 10..<15 as Range<UInt64> { try await shops.create(Shop(number, staff: 5, isOpen: number > 10)) }
        var query = Query<Shop>(sort: [Sort(\.name)], limit: 3, includesTotal: true)
            .and(Shop.predicate(column: "is_open", equals: "true"))
        let first = try await shops.find("staff", equals: "5", in: query)
        #expect(first.entities.map(\.id.rawValue.low) == [11, 12, 13] && first.total == 4)
        query.after = first.next
        let last = try await shops.find("staff", equals: "5", in: query)
        #expect(last.entities.map(\.id.rawValue.low) == [14] && last.next == nil)
        let error = await persistencyError { [query] in _ = try await shops.find("staff", equals: "6", in: query) }
        guard case .unsupportedQuery = error else { return #expect(Bool(false), "\(error as Any)") }
    }

    @Test func `a lookup in a transaction finds its pending changes`() async throws {
        let ids = try await shops.manager.transaction { manager in
            let shops = Shops(manager: manager)
            try await shops.create(Shop(3, staff: 8))
            return try await shops.find("staff", equals: "8").entities.map(\.id.rawValue.low)
        }
        #expect(ids == [3])
    }

    @Test func `a guarded manager applies its policy to a lookup`() async throws {
        let owner: EntityID<Person>? = Self.owner.id
        let policy = OwnerPolicy<Shop>(owner?.rawValue, own: #Predicate { $0.owner == owner }) { $0.owner == owner }
        let policies = PolicySet([policy])
        let guarded = Shops(manager: GuardedManager(shops.manager, policies: policies))
        #expect(try await guarded.find("staff", equals: "").entities.isEmpty)
        #expect(try await guarded.find("staff", equals: "-3").entities.count == 1)
    }
}
