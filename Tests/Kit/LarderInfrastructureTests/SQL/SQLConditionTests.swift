import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// SQL conditions compared with the interpreter, for long and nested conditions and conditions over relationships. The
/// contract's differential run covers the rest.
@Suite(.serialized) struct SQLConditionTests {
    static let texts: [String?] = [
        nil, "", "a", "A", "aa", "ab", "b", "O'Brien", "say \"x\"", "50%_", "ä", "äb", "\u{D7FF}", "\u{D7FF}z",
        "\u{E000}", "z\u{10FFFF}", "z\u{10FFFF}a", "zz", "日本", "日", "😀", "😀x", "a\nb", "\u{FFFD}", "\u{7F}", "~",
    ]
    static let integers: [Int64?] = [
        nil, 0, 1, -1, 2, 3, 7, .max, .min, .max - 1, .min + 1, 1 << 53, (1 << 53) + 1, 3_037_000_500, -3_037_000_500,
    ]
    static let reals: [Double?] = [
        nil, 0, 1, -1, 0.5, 0.1, 0.3, 1e308, -1e308, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1 / 3,
    ]

    static let integerValues: [Value] = integers.map { $0.map(Value.integer) ?? .null }
    static let realValues: [Value] = reals.map { $0.map(Value.real) ?? .null }
    static let textValues: [Value] = texts.map { $0.map(Value.text) ?? .null }
    static let blobValues: [Value] = [.null, .blob([]), .blob([0]), .blob([0, 0]), .blob([255]), .blob([97])]
    static let dayValues: [Value] = [.null, .text("2026-11-20"), .text("0001-01-01")]

    static func rows(_ chance: inout Splitmix) -> [StorageObject] {
        var rows: [StorageObject] = []
        for number in 0..<300 {
            func pick(_ list: [Value]) -> Value { list.randomElement(using: &chance) ?? .null }
            var values: [Value] = [pick(integerValues), pick(integerValues), pick(realValues), pick(textValues)]
            let name = pick(textValues)
            values.append(name == .null ? .text("n") : name)
            values.append(pick(blobValues))
            values.append(.integer(Int64(number % 2)))
            values.append(pick(dayValues))
            values.append(.integer(Int64(number) * 1_000_000))
            rows.append(StorageObject(schema: Sample.shelf, id: Sample.id(number), values: values))
        }
        return rows
    }

    @Test func `conditions on relationships have the results of the interpreter`() async throws {
        let store = try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas())
        let books = [
            Sample.book(10), Sample.book(11, "b", year: 3, tags: [1]),
            Sample.book(12, "c", year: 1, pages: [Sample.page(20, "x", notes: [Sample.note(30, "n")], tags: [2])]),
            Sample.book(13, tags: [1, 1, 2], sequels: [13, 10]),
            Sample.book(14, year: 2, pages: [Sample.page(21, "y"), Sample.page(22, "x", tags: [1, 2])], tags: [2]),
        ]
        _ = try await store.commit(ChangeSet(inserts: [Sample.tag(1, "a"), Sample.tag(2, "b")] + books))
        let x = Condition.compare(.column(0), .equal, .literal(.text("x")))
        let conditions: [Condition] = [
            .links(relationship: 0, id: Sample.id(1)), .not(.links(relationship: 0, id: Sample.id(1))),
            .links(relationship: 1, id: Sample.id(10)), .links(relationship: 0, id: Sample.id(99)),
            .anyChild(relationship: 0, x), .not(.anyChild(relationship: 0, x)),
            .anyChild(relationship: 0, .and([x, .links(relationship: 0, id: Sample.id(2))])),
            .anyChild(relationship: 0, .anyChild(relationship: 0, .compare(.column(0), .equal, .literal(.text("n"))))),
            .anyChild(relationship: 0, .compare(.childCount(0), .greater, .literal(.integer(0)))),
            .anyChild(relationship: 0, .not(.compare(.column(1), .notEqual, .literal(.null)))),
            .compare(.linkCount(0), .greater, .childCount(0)),
            .compare(.arithmetic(.linkCount(0), .subtract, .column(1)), .less, .literal(.integer(1))),
            .not(.compare(.arithmetic(.linkCount(0), .subtract, .column(1)), .less, .literal(.integer(1)))),
            .and([.links(relationship: 0, id: Sample.id(1)), .anyChild(relationship: 0, .always(true))]),
        ]
        for condition in conditions {
            let expected = books.filter { condition.holds(for: $0) }.map(\.id)
            let found = try await store.read(ReadRequest(Sample.book, where: condition)).items.map(\.id)
            #expect(found == expected, "\(condition)")
        }
    }

    @Test(.currentSQLite) func `membership takes any number of values`() async throws {
        let store = try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas())
        var chance = Splitmix(state: 9)
        let rows = Array(Self.rows(&chance).prefix(60))
        _ = try await store.commit(ChangeSet(inserts: rows))
        let count = 40_000
        let ids: [Value] = (0..<count).map { .id(Sample.id($0 * 2)) }
        let numbers: [Value] = (0..<count).map { .integer(Int64($0)) }
        let texts: [Value] = (0..<count).map { .text("\($0)") }
        let blobs: [Value] = (0..<count).map { .blob(Array("\($0)".utf8)) }
        let reals: [Value] = (0..<5000).map { .real(Double($0)) }
        let limits = Self.integerValues
        let awkward: [Value] = ["a", "", "O'Brien", "日本", "z\u{10FFFF}"].map { Value.text($0) }
        let lists: [(Operand, [Value])] = [
            (.id, ids), (.column(0), limits + numbers), (.column(3), awkward + texts),
            (.column(5), [.blob([]), .blob([0, 0])] + blobs), (.column(2), reals),
        ]
        for (operand, values) in lists {
            for condition in [Condition.isIn(operand, Set(values)), .not(.isIn(operand, Set(values + [.null])))] {
                let expected = rows.filter { condition.holds(for: $0) }.map(\.id)
                let found = try await store.read(ReadRequest(Sample.shelf, where: condition)).items.map(\.id)
                #expect(found == expected)
            }
        }
        let tooMany = Condition.isIn(.column(2), Set((0..<40_000).map { .real(Double($0)) }))
        let error = await failure { () async throws(PersistencyError) in
            _ = try await store.read(ReadRequest(Sample.shelf, where: tooMany))
        }
        #expect(error?.summary == "unsupportedQuery")
    }

    @Test func `long conditions are answered, and those too deep for SQLite are refused`() async throws {
        let store = try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas())
        try await store.insert(Sample.tag(1, "a"))
        let parts = (0..<400).map { Condition.compare(.column(0), .notEqual, .literal(.text("\($0)"))) }
        #expect(try await store.read(ReadRequest(Sample.tag, where: .and(parts))).items.count == 1)
        #expect(try await store.read(ReadRequest(Sample.tag, where: .not(.or(parts)))).items.isEmpty)
        let deep = (0..<400).reduce(Condition.always(true)) { inner, _ in .not(.and([inner, .always(true)])) }
        let error = await failure { () async throws(PersistencyError) in
            _ = try await store.read(ReadRequest(Sample.tag, where: deep))
        }
        #expect(error?.summary == "unsupportedQuery")
        #expect(try await store.read(ReadRequest(Sample.tag)).items.count == 1)
    }

    @Test func `values of different types are not compared`() async throws {
        let store = try await SQLiteStore.open(.init(.memory), schemas: Sample.schemas())
        let conditions: [Condition] = [
            .compare(.column(0), .equal, .literal(.real(1))), .compare(.column(3), .less, .literal(.integer(1))),
            .compare(.arithmetic(.column(0), .add, .column(2)), .less, .literal(.integer(1))),
            .contains(.column(0), "a"), .hasPrefix(.id, "a"),
            .compare(.coalesce(.column(0), .literal(.text(""))), .equal, .column(0)),
        ]
        for condition in conditions {
            let error = await failure { () async throws(PersistencyError) in
                _ = try await store.read(ReadRequest(Sample.shelf, where: condition))
            }
            #expect(error?.summary == "unsupportedQuery")
        }
    }

    @Test func `a prefix ends before the next text that does not have it`() {
        #expect("a".prefixSuccessor == "b")
        #expect("a\u{10FFFF}".prefixSuccessor == "b")
        #expect("\u{10FFFF}".prefixSuccessor == nil)
        #expect("x\u{D7FF}".prefixSuccessor == "x\u{E000}")
    }
}

struct Splitmix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
