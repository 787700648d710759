import LarderData
import LarderDomain
import Testing

/// A list of values finds the same objects as comparisons with each value.
struct ListConditionTests {
    private static let part = EntitySchema(name: "part", columns: [Column(name: "name", type: .text)])
    private static let schema = EntitySchema(
        name: "thing",
        columns: [
            Column(name: "count", type: .integer, isNullable: true), Column(name: "weight", type: .real),
            Column(name: "name", type: .text),
        ], children: [ChildRelationship(name: "parts", schema: part)])

    private static let things: [StorageObject] = (0..<40).map(thing)

    private static func thing(_ number: Int) -> StorageObject {
        let count: Value = number % 7 == 0 ? .null : .integer(number % 5 == 0 ? .max : Int64(number))
        let parts: [StorageObject] = (0..<(number % 3)).map { place in
            let id = RawID(high: 2, low: UInt64(number * 3 + place))
            return StorageObject(schema: part, id: id, values: [.text("p\(number + place)")])
        }
        return StorageObject(
            schema: schema, id: RawID(high: 1, low: UInt64(number)),
            values: [count, .real(Double(number) / 4), .text("a\(number)")], children: [parts])
    }

    private static let counts: [Value] = (0..<20).map { Value.integer($0) }
    private static let reals: [Value] = (0..<20).map { Value.real(Double($0)) }
    private static let names: [Value] = (0..<20).map { Value.text("a\($0 * 2)") }
    private static let parts: [Value] = (0..<20).map { Value.text("p\($0)") }
    private static let ids: [Value] = things.prefix(9).map { Value.id($0.id) }
    /// Undefined if the sum overflows.
    private static let partial = Operand.arithmetic(.column(0), .add, .literal(.integer(1)))
    private static let lists: [(operand: Operand, values: [Value], isOfParts: Bool)] = [
        (.column(0), counts, false), (.column(0), counts + [.null] + counts, false), (partial, counts, false),
        (.column(1), reals, false), (.column(2), names, false), (.id, ids, false),
        (.coalesce(.column(0), .literal(.integer(3))), counts, false), (.column(2), counts, false),
        (.column(0), [.integer(1), .null], false), (.column(0), [], false), (.column(0), parts, true),
    ]

    @Test(arguments: lists.indices)
    func `lists are found wherever they are in a condition`(_ index: Int) {
        let (operand, values, isOfParts) = Self.lists[index]
        let comparisons = values.map { Condition.compare(operand, .equal, .literal($0)) }
        func around(_ test: Condition) -> [Condition] {
            let list = isOfParts ? .anyChild(relationship: 0, test) : test
            let even = Condition.compare(.column(1), .less, .literal(.real(5)))
            return [
                list, .not(list), .and([even, list]), .or([even, .not(list)]), .not(.and([list, .or([even, list])])),
            ]
        }
        for (listed, compared) in zip(around(.isIn(operand, Set(values))), around(.or(comparisons))) {
            for thing in Self.things {
                #expect(listed.holds(for: thing) == compared.holds(for: thing), "\(listed), \(thing.id)")
            }
        }
    }
}
