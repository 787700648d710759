#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LarderDomain
import Testing

@testable import LarderData

/// Each predicate with an equivalent closure in Swift; both must select the same shops.
@Suite("A predicate lowered to a condition chooses what Swift would choose")
struct LoweringTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let predicate: Predicate<Shop>
        let expected: @Sendable (Shop) -> Bool

        init(_ name: String, _ predicate: Predicate<Shop>, _ expected: @escaping @Sendable (Shop) -> Bool) {
            (self.name, self.predicate, self.expected) = (name, predicate, expected)
        }

        var testDescription: String { name }
    }

    static let regular = EntityID<Person>(RawID(high: 4, low: 1))
    static let day = CalendarDay(year: 2024, month: 2, day: 29)

    static let shops: [Shop] = [
        Shop(1),
        Shop(2, name: "Ünder", motto: "a", staff: 3, rent: 1.5, isOpen: true, opened: 5, founded: day),
        Shop(3, name: "u\u{308}nder", motto: "", staff: -3, rent: -1.5, opened: -5, regulars: [regular]),
        Shop(4, name: "shop 🥕", motto: "it's \"quoted\"", staff: Int.max, shelves: [Shelf(1, "top"), Shelf(2, "low")]),
        Shop(5, name: "SHOP", staff: Int.min, isOpen: true, branchOf: EntityID(RawID(high: 1, low: 1))),
        Shop(6, name: "", staff: 0, shelves: [Shelf(3, "top", boxes: [Box(1, weight: 9)])], regulars: [regular]),
    ]

    @Test("as it does for", arguments: comparisons + logic + texts + optionals + collections + numbers)
    func chooses(_ row: Case) throws {
        let condition = try ReadRequest(Query(row.predicate), ShopMapper.mapping).condition
        for shop in Self.shops {
            let object = try ShopMapper.storageObject(from: shop)
            #expect(condition.holds(for: object) == row.expected(shop), "shop \(shop.id.rawValue.low)")
        }
    }

    static let comparisons: [Case] = {
        let three: Int? = 3
        let none: Int? = nil
        let second = shops[1].id
        return [
            Case("equal", #Predicate { $0.name == "SHOP" }) { $0.name == "SHOP" },
            Case("equal in NFC", #Predicate { $0.name == "u\u{308}nder" }) { $0.name == "ünder" },
            Case("not equal", #Predicate { $0.name != "SHOP" }) { $0.name != "SHOP" },
            Case("equal to an optional", #Predicate { $0.staff == three }) { $0.staff == three },
            Case("equal to a captured nil", #Predicate { $0.staff == none }) { $0.staff == none },
            Case("equal to nil", #Predicate { $0.staff == nil }) { $0.staff == nil },
            Case("not equal to nil", #Predicate { $0.staff != nil }) { $0.staff != nil },
            Case("not equal, with nil among them", #Predicate { $0.staff != 3 }) { $0.staff != 3 },
            Case("less", #Predicate { $0.rent < 0 }) { $0.rent < 0 },
            Case("at most", #Predicate { $0.rent <= 0 }) { $0.rent <= 0 },
            Case("greater", #Predicate { $0.name > "T" }) { $0.name > "T" },
            Case("at least", #Predicate { $0.id >= second }) { $0.id >= second },
            Case("id", #Predicate { $0.id == second }) { $0.id == second },
            Case("two columns", #Predicate { $0.name == $0.foldedName }) { $0.name == $0.foldedName },
            Case("a computed column", #Predicate { $0.foldedName == "shop" }) { $0.name.lowercased() == "shop" },
        ]
    }()

    static let logic: [Case] = {
        return [
            Case("a boolean", #Predicate { $0.isOpen }) { $0.isOpen },
            Case("its opposite", #Predicate { !$0.isOpen }) { !$0.isOpen },
            Case("a boolean compared", #Predicate { $0.isOpen == false }) { !$0.isOpen },
            Case("truths compared", #Predicate { ($0.rent > 0) == $0.isOpen }) { ($0.rent > 0) == $0.isOpen },
            Case("truths that differ", #Predicate { ($0.rent > 0) != $0.isOpen }) { ($0.rent > 0) != $0.isOpen },
            Case("and", #Predicate { $0.isOpen && $0.rent > 1 }) { $0.isOpen && $0.rent > 1 },
            Case("or", #Predicate { $0.isOpen || $0.rent < 0 }) { $0.isOpen || $0.rent < 0 },
            Case("not and", #Predicate { !($0.isOpen && $0.staff == 3) }) { !($0.isOpen && $0.staff == 3) },
            Case("always", #Predicate { _ in true }) { _ in true },
            Case("a choice", #Predicate { $0.isOpen ? $0.staff == 3 : $0.rent < 0 }) {
                $0.isOpen ? $0.staff == 3 : $0.rent < 0
            },
        ]
    }()

    static let texts: [Case] = {
        let part = "hop"
        return [
            Case("contains", #Predicate { $0.name.contains(part) }) { $0.name.contains("hop") },
            Case("contains nothing", #Predicate { $0.name.contains("") }) { _ in true },
            Case("contains an emoji", #Predicate { $0.name.contains("🥕") }) { $0.name.contains("🥕") },
            Case("contains in NFC", #Predicate { $0.name.contains("u\u{308}") }) { $0.name.contains("ü") },
            Case("a prefix", #Predicate { $0.name.starts(with: "sho") }) { $0.name.hasPrefix("sho") },
            Case("is empty", #Predicate { $0.name.isEmpty }) { $0.name.isEmpty },
            Case("quotes", #Predicate { $0.motto == "it's \"quoted\"" }) { $0.motto == "it's \"quoted\"" },
        ]
    }()

    static let optionals: [Case] = [
        Case("chained or false", #Predicate { $0.motto?.contains("q") ?? false }) { $0.motto?.contains("q") ?? false },
        Case("chained or true", #Predicate { $0.motto?.contains("q") ?? true }) { $0.motto?.contains("q") ?? true },
        Case("chained equal", #Predicate { $0.motto?.contains("q") == true }) { $0.motto?.contains("q") == true },
        Case("chained unequal", #Predicate { $0.motto?.contains("q") != true }) { $0.motto?.contains("q") != true },
        Case("chained nil", #Predicate { $0.motto?.isEmpty == nil }) { $0.motto == nil },
        Case("a default", #Predicate { ($0.staff ?? 7) > 4 }) { ($0.staff ?? 7) > 4 },
        Case("a mapped one", #Predicate { $0.staff.flatMap { $0 < 3 } == true }) { ($0.staff ?? 3) < 3 },
        Case("if let", #Predicate { if let staff = $0.staff { staff < 0 } else { false } }) { ($0.staff ?? 0) < 0 },
        Case("unwrapped", #Predicate { $0.staff != nil && $0.staff! > 2 }) { ($0.staff ?? 0) > 2 },
    ]

    static let collections: [Case] = {
        let names: Set<String> = ["SHOP", "shop 🥕"]
        let staffs: [Int?] = [nil, 3]
        let regulars = [regular, EntityID<Person>(RawID(high: 4, low: 9))]
        let strangers: [EntityID<Person>] = []
        return [
            Case("a captured set", #Predicate { names.contains($0.name) }) { names.contains($0.name) },
            Case("a captured list with nil", #Predicate { staffs.contains($0.staff) }) { staffs.contains($0.staff) },
            Case("an id in a relationship", #Predicate { $0.regulars.contains(regular) }) {
                $0.regulars.contains(regular)
            },
            Case("some id in a relationship", #Predicate { $0.regulars.contains { $0 == regular } }) {
                $0.regulars.contains(regular)
            },
            Case("any of some ids", #Predicate { $0.regulars.contains { regulars.contains($0) } }) {
                $0.regulars.contains(regular)
            },
            Case("any of no ids", #Predicate { $0.regulars.contains { strangers.contains($0) } }) { _ in false },
            Case("a relationship's count", #Predicate { $0.regulars.count == 1 }) { $0.regulars.count == 1 },
            Case("an empty relationship", #Predicate { $0.regulars.isEmpty }) { $0.regulars.isEmpty },
            Case("owned objects' count", #Predicate { $0.shelves.count > 1 }) { $0.shelves.count > 1 },
            Case("no owned objects", #Predicate { $0.shelves.isEmpty }) { $0.shelves.isEmpty },
            Case("some owned object", #Predicate { $0.shelves.contains { $0.label == "top" } }) {
                $0.shelves.contains { $0.label == "top" }
            },
            Case("every owned object", #Predicate { $0.shelves.allSatisfy { $0.label == "top" } }) {
                $0.shelves.allSatisfy { $0.label == "top" }
            },
            Case("within owned objects", #Predicate { $0.shelves.contains { $0.boxes.contains { $0.weight > 8 } } }) {
                $0.shelves.contains { $0.boxes.contains { $0.weight > 8 } }
            },
            Case("a member of a captured value", #Predicate { $0.shelves.count == names.count }) {
                $0.shelves.count == 2
            },
        ]
    }()

    static let numbers: [Case] = {
        let limit = 4
        let range = 0..<4
        return [
            Case("a sum", #Predicate { ($0.staff ?? 0) + 1 == limit }) { ($0.staff ?? 0) &+ 1 == limit },
            Case("a difference", #Predicate { ($0.staff ?? 0) - 1 < limit }) {
                let (result, overflow) = ($0.staff ?? 0).subtractingReportingOverflow(1)
                return !overflow && result < limit
            },
            Case("a product that overflows", #Predicate { ($0.staff ?? 0) * 2 > limit }) {
                let (result, overflow) = ($0.staff ?? 0).multipliedReportingOverflow(by: 2)
                return !overflow && result > limit
            },
            Case("a quotient", #Predicate { ($0.staff ?? 0) / 2 == 1 }) { ($0.staff ?? 0) / 2 == 1 },
            Case("a division by zero", #Predicate { limit / ($0.staff ?? 0) == limit / 3 }) { $0.staff == 3 },
            Case("a remainder", #Predicate { ($0.staff ?? 0) % 2 == -1 }) { ($0.staff ?? 0) % 2 == -1 },
            Case("a remainder by -1", #Predicate { ($0.staff ?? 0) % -1 == 0 }) { _ in true },
            Case("a negation", #Predicate { -$0.rent > 1 }) { -$0.rent > 1 },
            Case("a fraction", #Predicate { $0.rent / 2 > 0.5 }) { $0.rent / 2 > 0.5 },
            Case("a range", #Predicate { (1...3).contains($0.staff ?? 0) }) { (1...3).contains($0.staff ?? 0) },
            Case("a captured range", #Predicate { range.contains($0.staff ?? 9) }) { range.contains($0.staff ?? 9) },
        ]
    }()
}
