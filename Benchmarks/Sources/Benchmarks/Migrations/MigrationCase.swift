import LarderData
import LarderDomain

/// One migration, and its floor.
struct MigrationCase: Sendable {
    /// The side whose time is the unit of the ratio.
    enum Floor: Sendable {
        /// The plan's statements in the `sqlite3` shell.
        case shell
        /// A mode of `MigrationFloor`, in its faster way.
        case program(String)
    }

    let name: String
    let floor: Floor
    /// Whether it migrates baskets instead of persons.
    var hasList = false
    /// The schemas after it.
    let schemas: @Sendable () throws(PersistencyError) -> SchemaSet

    static let all = [additions, renames, drops, nullable, split, convert, total]

    private static let additions = MigrationCase(name: "additions", floor: .shell) { () throws(PersistencyError) in
        let columns = [
            Column(name: "nickname", type: .text, isNullable: true),
            Column(name: "level", type: .integer, defaultValue: .integer(1)),
        ]
        let person = MigrationSchemas.person(
            MigrationSchemas.columns + columns, uniques: [["email"], ["phone"]], indexes: [["created_at"], ["minutes"]])
        let tag = EntitySchema(name: "tag", columns: [Column(name: "name", type: .text)], uniques: [[0]])
        return try SchemaSet([MigrationSchemas.city, MigrationSchemas.entry, person, tag])
    }

    private static let renames = MigrationCase(name: "renames", floor: .shell) { () throws(PersistencyError) in
        let columns = MigrationSchemas.columns.map { column in
            let name = ["email": "address", "created_at": "joined_at"][column.name] ?? column.name
            return Column(name: name, type: column.type, isNullable: column.isNullable, reference: column.reference)
        }
        let hints = SchemaHints(
            formerNames: ["person"], formerMembers: ["address": ["email"], "joined_at": ["created_at"]])
        let member = MigrationSchemas.person(
            named: "member", columns, uniques: [["address"]], indexes: [["joined_at"]], hints: hints)
        return try SchemaSet(
            [MigrationSchemas.city, MigrationSchemas.entry, member], evolution: SchemaEvolution(version: 2))
    }

    private static let drops = MigrationCase(name: "drops", floor: .shell) { () throws(PersistencyError) in
        let person = MigrationSchemas.person(
            MigrationSchemas.columns.filter { $0.name != "note" }, hints: SchemaHints(dropped: ["note"]))
        return try SchemaSet(
            [MigrationSchemas.city, person], evolution: SchemaEvolution(version: 2, dropped: ["entry"]))
    }

    private static let nullable = MigrationCase(name: "nullable", floor: .shell) { () throws(PersistencyError) in
        let columns = MigrationSchemas.columns.map { column in
            column.name == "minutes" ? Column(name: "minutes", type: .integer, isNullable: true) : column
        }
        return try SchemaSet(
            [MigrationSchemas.city, MigrationSchemas.entry, MigrationSchemas.person(columns)],
            evolution: SchemaEvolution(version: 2))
    }

    private static let split = MigrationCase(name: "split", floor: .program("split")) { () throws(PersistencyError) in
        let names = ["first_name", "last_name"].map { Column(name: $0, type: .text) }
        let step = MigrationStep(
            "split-name", version: 2, entity: "person", reading: [MigrationSchemas.columns[1]],
            adding: names.map(MigrationStep.Member.column), removing: ["name"]
        ) { person, context in
            let parts = try person.text("name").split(separator: " ", maxSplits: 1)
            var new = context.reshaped(person)
            try new.set("first_name", .text(String(parts.first ?? "")))
            try new.set("last_name", .text(parts.count > 1 ? String(parts[1]) : ""))
            return new
        }
        let columns = MigrationSchemas.columns.filter { $0.name != "name" } + names
        return try SchemaSet(
            [MigrationSchemas.city, MigrationSchemas.entry, MigrationSchemas.person(columns)],
            evolution: SchemaEvolution(version: 2, steps: [step]))
    }

    private static let convert = MigrationCase(name: "convert", floor: .program("convert")) {
        () throws(PersistencyError) in
        let step = MigrationStep(
            "seconds", version: 2, entity: "person", reading: [MigrationSchemas.minutes],
            adding: [.column(MigrationSchemas.minutes)]
        ) { person, context in
            var new = context.reshaped(person)
            try new.set("minutes", .integer((person.integer("minutes") ?? 0) * 60))
            return new
        }
        return try SchemaSet(MigrationSchemas.persons, evolution: SchemaEvolution(version: 2, steps: [step]))
    }

    private static let total = MigrationCase(name: "total", floor: .program("total"), hasList: true) {
        () throws(PersistencyError) in
        let step = MigrationStep(
            "total", version: 2, entity: "basket", adding: [.column(MigrationSchemas.total)]
        ) { basket, context in
            var new = context.reshaped(basket)
            let total = try basket.children[0].reduce(0) { total, line in
                try total + (line.integer("quantity") ?? 0) * (line.integer("price") ?? 0)
            }
            try new.set("total", .integer(total))
            return new
        }
        return try SchemaSet(MigrationSchemas.baskets, evolution: SchemaEvolution(version: 2, steps: [step]))
    }

    /// Whether it is compared with the shell.
    var isAutomatic: Bool { if case .shell = floor { true } else { false } }

    /// For readers.
    var description: String {
        switch name {
        case "additions": "additions: two columns, an index, a unique group, an entity"
        case "renames": "renames: an entity, two indexed columns"
        case "drops": "drops: a column, an entity"
        case "nullable": "a column made nullable"
        case "split": "step: splits a text into two"
        case "convert": "step: converts a unit in place"
        default: "step: the sum of an owned list of three"
        }
    }
}
