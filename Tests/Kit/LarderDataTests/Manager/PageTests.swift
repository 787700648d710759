#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderData

@Suite("Pages neither repeat nor skip, and a cursor belongs to its query")
struct PageTests {
    let manager: StoreManager

    init() async throws {
        manager = try Fixture().manager
        for number in 1...20 {
            let number = UInt64(number)
            try await manager.create(
                Shop(number, name: "s\(number % 3)", staff: number % 4 == 0 ? nil : Int(number % 5)))
        }
    }

    static let sorts: [[Sort<Shop>]] = [
        [], [Sort(\.staff)], [Sort(\.staff, .descending)], [Sort(\.name), Sort(\.staff, .descending)],
        [Sort(\.motto), Sort(\.id, .descending)],
    ]

    @Test(arguments: sorts.indices, [1, 3, 7, 50])
    func `all pages together are the whole, in the whole's order`(_ sort: Int, _ limit: Int) async throws {
        let whole = try await manager.read(Query<Shop>(sort: Self.sorts[sort])).entities
        var query = Query<Shop>(sort: Self.sorts[sort], limit: limit, includesTotal: true)
        var seen: [Shop] = []
        repeat {
            let page = try await manager.read(query)
            #expect(page.items.count <= limit && page.total == 20)
            seen += page.entities
            query.after = page.next
        } while query.after != nil
        #expect(seen == whole && whole.count == 20)
    }

    @Test func `a position's condition selects the rows after it`() throws {
        let objects = try (1...20).map { number in
            try ShopMapper.storageObject(from: Shop(UInt64(number), staff: number % 4 == 0 ? nil : number % 5))
        }
        for sort in Self.sorts {
            var request = try ReadRequest(Query<Shop>(sort: sort), ShopMapper.mapping)
            for start in objects {
                let place = Place(of: start, in: request.order)
                request.after = place
                for object in objects {
                    let isAfter = request.precedes(place, Place(of: object, in: request.order))
                    #expect(request.afterCondition.holds(for: object) == isAfter)
                }
            }
        }
    }

    @Test func `a cursor of another query, or none at all, is refused`() async throws {
        let query = Query<Shop>(sort: [Sort(\.staff)], limit: 3)
        let cursor = try #require(try await manager.read(query).next)
        let open = #Predicate<Shop> { $0.isOpen }
        let others: [Query<Shop>] = [
            Query(sort: [Sort(\.staff, .descending)], after: cursor), Query(after: cursor),
            Query(open, sort: [Sort(\.staff)], after: cursor),
            Query(sort: [Sort(\.staff)], after: Cursor(rawValue: "")),
            Query(sort: [Sort(\.staff)], after: Cursor(rawValue: "not base64!")),
            Query(sort: [Sort(\.staff)], after: Cursor(rawValue: String(cursor.rawValue.dropLast(4)))),
            Query(sort: [Sort(\.staff)], after: Cursor(rawValue: cursor.rawValue + "AAAA")),
        ]
        for other in others {
            let error = await persistencyError { _ = try await manager.read(other) }
            guard case .unsupportedQuery(let reason) = error else { return #expect(Bool(false), "\(error as Any)") }
            #expect(reason.contains("cursor"))
        }
        // The page size is not part of the query.
        #expect(try await manager.read(Query<Shop>(sort: [Sort(\.staff)], limit: 9, after: cursor)).items.count == 9)
    }

    @Test func `a cursor that claims impossible values is refused`() throws {
        let request = try ReadRequest(Query<Shop>(sort: [Sort(\.rent)]), ShopMapper.mapping)
        for value in [Value.text("x"), .null, .real(.nan), .id(RawID(high: 0, low: 0)), .blob([1])] {
            let cursor = Cursor(Place(values: [value], id: RawID(high: 0, low: 1)), in: request)
            let error = #expect(throws: PersistencyError.self) { try cursor.position(in: request) }
            guard case .unsupportedQuery(let reason) = error else { return #expect(Bool(false), "\(error as Any)") }
            #expect(reason.contains("cursor"))
        }
        let good = Place(values: [.real(2)], id: RawID(high: 0, low: 1))
        #expect(try Cursor(good, in: request).position(in: request) == .place(good))
    }

    @Test func `a cursor is short, and names the root where its values are not`() throws {
        let request = ReadRequest(ShopMapper.schema, order: [OrderTerm(.column(0))])
        let id = RawID(high: 1, low: 2)
        for size in [0, 1_100, 1_123, 1_124, 1_200, 100_000] {
            let place = Place(values: [.text(String(repeating: "x", count: size))], id: id)
            let cursor = Cursor(place, in: request)
            #expect(cursor.rawValue.utf8.count <= Cursor.maximumLength)
            #expect(try cursor.position(in: request) == (size <= 1_123 ? .place(place) : .root(id)))
        }
    }

    @Test func `a cursor of an earlier format, or of more than its length, is refused`() throws {
        let request = ReadRequest(ShopMapper.schema)
        let cursor = Cursor(Place(values: [], id: RawID(high: 1, low: 2)), in: request)
        #expect(cursor.rawValue.hasPrefix("A"))
        let earlier = ["AQ", "Ag"].map { $0 + cursor.rawValue.dropFirst(2) }
        for text in earlier + [cursor.rawValue + String(repeating: "A", count: 1_536)] {
            let error = #expect(throws: PersistencyError.self) {
                try Cursor(rawValue: text).position(in: request)
            }
            guard case .unsupportedQuery("a malformed cursor") = error else { return #expect(Bool(false), "\(text)") }
        }
    }

    @Test func `every kind of value travels in a cursor`() throws {
        var writer = ValueWriter()
        let values: [Value] = [
            .null, .integer(.min), .integer(.max), .real(-1.5), .text("ü🥕"), .text(""), .blob([0, 255]),
            .id(RawID(high: 1, low: 2)),
        ]
        for value in values { writer.append(value) }
        var reader = ValueReader(writer.bytes)
        #expect(try values.allSatisfy { try reader.value() == $0 } && reader.isAtEnd)
        for count in writer.bytes.indices {
            var cut = ValueReader(Array(writer.bytes.prefix(count)))
            while (try? cut.value()) != nil {}
        }
    }

    @Test func `each part of a query makes it another one`() {
        let id = RawID(high: 0, low: 1)
        let one = Operand.literal(.integer(1))
        let conditions: [Condition] = [
            .always(true), .always(false), .compare(.id, .equal, one), .compare(.id, .less, one),
            .compare(.column(0), .equal, one), .compare(.linkCount(0), .equal, one),
            .compare(.childCount(0), .equal, one), .compare(.coalesce(.id, one), .equal, one),
            .compare(.arithmetic(.id, .add, one), .equal, one),
            .compare(.arithmetic(.id, .subtract, one), .equal, one), .isIn(.id, []), .isIn(.id, [.null]),
            .contains(.id, "a"), .hasPrefix(.id, "a"), .links(relationship: 0, id: id),
            .anyChild(relationship: 0, .always(true)), .and([.always(true)]), .or([.always(true)]),
            .not(.always(true)),
        ]
        let numbers = conditions.map { ReadRequest(ShopMapper.schema, where: $0).fingerprint }
        #expect(Set(numbers).count == conditions.count)
    }
}
