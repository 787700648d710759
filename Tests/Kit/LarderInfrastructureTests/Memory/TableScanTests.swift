import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
import Testing

/// The cost of a page, in roots that the store visits, and the equality of results over all paths through a table.
struct TableScanTests {
    /// `code` is unique, `group` and `name` have an index, `note` has none.
    private static let schema = EntitySchema(
        name: "thing",
        columns: [
            Column(name: "code", type: .text), Column(name: "group", type: .integer, isNullable: true),
            Column(name: "name", type: .text), Column(name: "note", type: .integer),
        ], uniques: [[0]], indexes: [[1], [2]])
    private static let count = RunSize.current == .quick ? 10_000 : 20_000

    private static func thing(_ number: Int) -> StorageObject {
        // Multiples of a prime scatter the ids.
        let scattered = number * 7919 % 20_011
        return StorageObject(
            schema: schema, id: RawID(high: 1, low: UInt64(number)),
            values: [
                .text("code \(number)"), number % 9 == 0 ? .null : .integer(Int64(scattered % 8)),
                .text("name \(scattered)"), .integer(Int64(scattered % 100)),
            ])
    }

    private static func store(_ count: Int = count) async throws -> MemoryStore {
        let store = MemoryStore(try SchemaSet([schema]))
        for part in stride(from: 0, to: count, by: 1000) {
            _ = try await store.commit(ChangeSet(inserts: (part..<min(part + 1000, count)).map(thing)))
        }
        return store
    }

    /// The number of roots that the store visits for a page.
    private func visits(_ store: MemoryStore, _ request: ReadRequest, finds count: Int) async throws -> Int {
        let before = try #require(await store.measurements().rootsVisited)
        #expect(try await store.read(request).items.count == count)
        return try #require(await store.measurements().rootsVisited) - before
    }

    @Test func `a page visits about as many roots as it has, wherever it begins`() async throws {
        let store = try await Self.store()
        for order in [[], [OrderTerm(.id)], [OrderTerm(.column(2))], [OrderTerm(.column(2), isDescending: true)]] {
            var request = ReadRequest(Self.schema, order: order, limit: 8, includesTotal: true)
            for _ in 0..<5 {
                #expect(try await visits(store, request, finds: 8) <= 16, "\(order)")
                request.after = try await store.read(request).next
            }
            let middle = Self.thing(Self.count / 2)
            request.after = Place(of: middle, in: order)
            #expect(try await visits(store, request, finds: 8) <= 16, "\(order)")
        }
    }

    @Test func `roots with given values are looked up`() async throws {
        let store = try await Self.store()
        let codes = (0..<10).map { Value.text("code \($0 * 1000)") }
        for order in [[], [OrderTerm(.column(3))]] {
            let request = ReadRequest(
                Self.schema, where: .isIn(.column(0), Set(codes)), order: order, includesTotal: true)
            #expect(try await visits(store, request, finds: 10) == 10)
        }
        let names = Condition.and([
            .compare(.column(3), .less, .literal(.integer(1000))),
            .compare(.column(2), .equal, .literal(Self.thing(77).values[2])),
        ])
        #expect(try await visits(store, ReadRequest(Self.schema, where: names), finds: 1) == 1)
        let page = ReadRequest(
            Self.schema, where: .compare(.column(1), .equal, .literal(.integer(3))),
            after: Place(values: [], id: Self.thing(9000).id), limit: 8)
        #expect(try await visits(store, page, finds: 8) <= 9)
    }

    @Test func `a page in an order without an index visits each root once`() async throws {
        let store = try await Self.store()
        let request = ReadRequest(Self.schema, order: [OrderTerm(.column(3))], limit: 8, includesTotal: true)
        #expect(try await visits(store, request, finds: 8) == Self.count)
    }

    @Test func `counts visit each root once and load none`() async throws {
        let store = try await Self.store()
        let before = try #require(await store.measurements().rootsVisited)
        let counts = try await store.counts(CountRequest(Self.schema, where: .always(true), by: .column(1)))
        #expect(counts.values.reduce(0, +) == (0..<Self.count).count { $0 % 9 != 0 })
        #expect(await store.measurements().rootsVisited == before + Self.count)
    }

    /// A condition for every path: by id, by an index, by several values, and by a full scan.
    private static let conditions: [Condition] = [
        .always(true), .compare(.column(1), .equal, .literal(.integer(3))),
        .compare(.column(1), .equal, .literal(.null)),
        .isIn(.column(1), [.integer(2), .null, .integer(2)]), .compare(.column(3), .less, .literal(.integer(50))),
        .and([
            .compare(.column(3), .greater, .literal(.integer(50))), .compare(.column(1), .equal, .literal(.integer(1))),
        ]),
        .isIn(.id, [.id(RawID(high: 1, low: 4)), .id(RawID(high: 9, low: 9))]),
        .not(.compare(.column(1), .equal, .literal(.integer(3)))),
    ]
    private static let orders: [[OrderTerm]] = [
        [], [OrderTerm(.id)], [OrderTerm(.id, isDescending: true)], [OrderTerm(.column(1))],
        [OrderTerm(.column(1), isDescending: true)],
        [OrderTerm(.column(1)), OrderTerm(.column(2), isDescending: true)],
        [OrderTerm(.column(1), isDescending: true), OrderTerm(.column(3))], [OrderTerm(.column(3))],
        [OrderTerm(.column(2), isDescending: true)],
    ]

    @Test(arguments: conditions.indices, orders.indices)
    func `page by page, the store has the results of a search of all roots`(condition: Int, order: Int) async throws {
        let store = try await Self.store(700)
        for number in stride(from: 5, to: 700, by: 5) {
            _ = try await store.commit(ChangeSet(deletes: [Self.thing(number).expecting(1)]))
        }
        let all = (0..<700).filter { $0 % 5 != 0 || $0 == 0 }.map(Self.thing)
        for limit in [nil, 1, 37, 300, Int.max] as [Int?] {
            var request = ReadRequest(
                Self.schema, where: Self.conditions[condition], order: Self.orders[order], limit: limit)
            var pages = 0
            repeat {
                request.includesTotal = pages % 2 == 0
                let found = try await store.read(request)
                let expected = request.answer(from: all)
                #expect(found.items == expected.items)
                #expect(found.next == expected.next)
                #expect(found.total == expected.total)
                request.after = expected.next
                pages += 1
            } while request.after != nil && pages < 20
        }
    }
}
