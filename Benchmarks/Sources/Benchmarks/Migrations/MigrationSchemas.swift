import LarderData
import LarderDomain

/// The schemas before the migrations: persons of cities, with an entity to drop; and baskets with three lines each.
enum MigrationSchemas {
    static let city = EntitySchema(name: "city", columns: [Column(name: "name", type: .text)], uniques: [[0]])
    static let entry = EntitySchema(
        name: "entry", columns: [Column(name: "text", type: .text), Column(name: "created_at", type: .timestamp)],
        indexes: [[1]])
    static let minutes = Column(name: "minutes", type: .integer)
    static let columns = [
        Column(name: "city", type: .id, reference: Reference(target: "city", onDelete: .refuse)),
        Column(name: "name", type: .text),
        Column(name: "email", type: .text),
        Column(name: "phone", type: .text, isNullable: true),
        minutes,
        Column(name: "is_member", type: .boolean),
        Column(name: "note", type: .text, isNullable: true),
        Column(name: "created_at", type: .timestamp),
    ]
    static let persons = [city, entry, person()]

    static let total = Column(name: "total", type: .integer)
    static let line = EntitySchema(
        name: "line",
        columns: [
            Column(name: "text", type: .text), Column(name: "quantity", type: .integer),
            Column(name: "price", type: .integer),
        ])
    static let basket = EntitySchema(
        name: "basket",
        columns: [
            Column(name: "number", type: .text), total, Column(name: "created_at", type: .timestamp),
        ], children: [ChildRelationship(name: "lines", schema: line)], uniques: [[0]], indexes: [[2]])
    static let baskets = [basket]

    /// Persons with other columns, and with the unique group and the index by the names of their columns.
    static func person(
        named name: String = "person", _ columns: [Column] = columns, uniques: [[String]] = [["email"]],
        indexes: [[String]] = [["created_at"]], hints: SchemaHints = SchemaHints()
    ) -> EntitySchema {
        func groups(_ names: [[String]]) -> [[Int]] {
            names.map { $0.compactMap { name in columns.firstIndex { $0.name == name } } }
        }
        return EntitySchema(
            name: name, columns: columns, uniques: groups(uniques), indexes: groups(indexes), hints: hints)
    }
}

/// The stored rows, the same in each run. Ids ascend with time, as generated ones do.
extension MigrationSchemas {
    static func id(_ number: Int) -> RawID {
        RawID(high: 0x0190_0000_0000_7000 + UInt64(number) << 16, low: 0x8000_0000_0000_0000)
    }

    static func city(_ number: Int) -> StorageObject {
        StorageObject(schema: city, id: id(number), version: 1, values: [.text("City number \(number)")])
    }

    static func entry(_ number: Int) -> StorageObject {
        let values = [Value.text("An entry that a later version no longer needs, number \(number)"), time(number)]
        return StorageObject(schema: entry, id: id(number), version: 1, values: values)
    }

    static func person(_ number: Int, cities: Int) -> StorageObject {
        StorageObject(
            schema: persons[2], id: id(number), version: 1,
            values: [
                .id(id(number % cities)), .text("Given\(number % 997) Family\(number % 9_973)"),
                .text("person.\(number)@example.org"), number % 4 == 0 ? .null : .text("+49 89 \(1_000_000 + number)"),
                .integer(Int64(number % 600)), .integer(Int64(number % 2)),
                number % 3 == 0 ? .null : .text("A note about the person with number \(number), one sentence long."),
                time(number),
            ])
    }

    static func basket(_ number: Int) -> StorageObject {
        let lines = (0..<3).map { place in
            StorageObject(
                schema: line, id: id(number * 3 + place),
                values: [
                    .text("Article number \((number + place) % 5_000)"), .integer(Int64(1 + number % 4)),
                    .integer(Int64(100 + (number * 7 + place) % 9_000)),
                ])
        }
        return StorageObject(
            schema: basket, id: id(number), version: 1, values: [.text("B-\(number)"), .integer(0), time(number)],
            children: [lines])
    }

    private static func time(_ number: Int) -> Value { .integer(1_700_000_000_000_000 + Int64(number) * 1_000_003) }
}
