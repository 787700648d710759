import LarderData
import LarderDomain

@testable import LarderInfrastructure

/// One case for each kind of change, with as little else as possible.
extension Evolved {
    static func cases() throws -> [Evolved] {
        [
            try renamed(), try split(), try joined(), try decimals(), try moved(), try movedFromOwned(), try dropped(),
            try madeNullable(), try added(), try converted(), try deleted(), try listed(), try chained(),
            try searched(), try searchedByRows(), try searchedAnew(), try searchedUnderOtherNames(),
            try relaxed(),
        ]
    }

    static func text(_ name: String, _ isNullable: Bool = false) -> Column {
        Column(name: name, type: .text, isNullable: isNullable)
    }

    static func root(
        _ schema: EntitySchema, _ number: Int, _ values: [Value], children: [[StorageObject]]? = nil,
        links: [[Int]]? = nil
    ) -> StorageObject {
        StorageObject(
            schema: schema, id: Sample.id(number), version: 1, values: values,
            children: children ?? schema.children.map { _ in [] },
            links: links.map { $0.map { $0.map(Sample.id) } } ?? schema.links.map { _ in [] })
    }

    static func set(
        _ roots: [EntitySchema], _ version: Int = 1, _ steps: [MigrationStep] = [], dropped: [String] = [],
        derivations: [String: SchemaSet.Derivation] = [:]
    ) throws -> SchemaSet {
        try SchemaSet(
            roots, derivations: derivations,
            evolution: SchemaEvolution(version: version, steps: steps, dropped: dropped))
    }

    /// An entity with owned objects and links to itself, one of its columns, and a list of links.
    static func renamed() throws -> Evolved {
        let step = EntitySchema(name: "step", columns: [text("text")])
        let tag = EntitySchema(name: "tag", columns: [text("name")], uniques: [[0]])
        let dish = EntitySchema(
            name: "dish", columns: [text("title"), text("note", true)],
            children: [ChildRelationship(name: "steps", schema: step)],
            links: [
                LinkRelationship(name: "labels", target: "tag", onDelete: .remove),
                LinkRelationship(name: "similar", target: "dish", onDelete: .remove),
            ], uniques: [[0]], indexes: [[1], [0, 1]])
        let meal = EntitySchema(
            name: "meal",
            columns: [
                Column(
                    name: "dish_id", type: .id, reference: Reference(target: "dish", onDelete: .cascade))
            ])
        let recipe = EntitySchema(
            name: "recipe", columns: [text("name"), text("note", true)],
            children: [ChildRelationship(name: "steps", schema: step)],
            links: [
                LinkRelationship(name: "tags", target: "tag", onDelete: .remove),
                LinkRelationship(name: "similar", target: "recipe", onDelete: .remove),
            ], uniques: [[0]], indexes: [[1], [0, 1]],
            hints: SchemaHints(
                formerNames: ["dish"], formerMembers: ["name": ["title", "label"], "tags": ["labels"]]))
        let newMeal = EntitySchema(
            name: "meal",
            columns: [
                Column(
                    name: "recipe_id", type: .id, reference: Reference(target: "recipe", onDelete: .refuse))
            ], hints: SchemaHints(formerMembers: ["recipe_id": ["dish_id"]]))
        return Evolved(
            name: "renamed", old: try set([tag, dish, meal]), new: try set([tag, recipe, newMeal], 2),
            objects: [
                root(tag, 1, [.text("t")]),
                root(
                    dish, 2, [.text("Soup"), .null],
                    children: [[root(step, 3, [.text("Boil")]), root(step, 4, [.text("Eat")])]], links: [[1], [2, 5]]),
                root(dish, 5, [.text("Pie"), .text("n")]), root(meal, 6, [.id(Sample.id(2))]),
            ],
            expected: [
                "meal #6 recipe_id=#2 @1",
                "recipe #2 name='Soup' note=NULL tags=[#1] similar=[#2 #5] steps=[step #3 text='Boil' step #4 text='Eat'] @1",
                "recipe #5 name='Pie' note='n' tags=[] similar=[] steps=[] @1", "tag #1 name='t' @1",
            ])
    }

    /// One column becomes two, and a derived column follows.
    static func split() throws -> Evolved {
        let user = EntitySchema(name: "user", columns: [text("name"), Column(name: "age", type: .integer)])
        let folded = Column(name: "folded", type: .text, isDerived: true)
        let newUser = EntitySchema(
            name: "user", columns: [text("first"), Column(name: "age", type: .integer), text("last"), folded],
            uniques: [[3]])
        let step = MigrationStep(
            "split-name", version: 2, entity: "user", reading: [text("name")],
            adding: [.column(text("first")), .column(text("last"))], removing: ["name"]
        ) { user, context in
            let parts = try user.text("name").split(separator: " ", maxSplits: 1).map(String.init)
            var new = context.reshaped(user)
            try new.set("first", .text(parts.first ?? ""))
            try new.set("last", .text(parts.count > 1 ? parts[1] : ""))
            return new
        }
        let derive: SchemaSet.Derivation = { (object) throws(PersistencyError) in
            var object = object
            try object.set("folded", .text(try object.text("first").lowercased()))
            return object
        }
        return Evolved(
            name: "split", old: try set([user]), new: try set([newUser], 2, [step], derivations: ["user": derive]),
            objects: [
                root(user, 1, [.text("Ada Lee King"), .integer(36)]), root(user, 2, [.text("Bo"), .integer(1)]),
            ],
            expected: [
                "user #1 first='Ada' age=36 last='Lee King' folded='ada' @1",
                "user #2 first='Bo' age=1 last='' folded='bo' @1",
            ])
    }

    /// Two columns become one of the same name and another type.
    static func joined() throws -> Evolved {
        let day = EntitySchema(
            name: "day", columns: [Column(name: "at", type: .integer), Column(name: "month", type: .integer)],
            indexes: [[0]])
        let newDay = EntitySchema(name: "day", columns: [text("at")], indexes: [[0]])
        let step = MigrationStep(
            "join", version: 3, entity: "day",
            reading: [Column(name: "at", type: .integer), Column(name: "month", type: .integer)],
            adding: [.column(text("at"))], removing: ["at", "month"]
        ) { day, context in
            var new = context.reshaped(day)
            try new.set("at", .text("\(try day.integer("month") ?? 0)-\(try day.integer("at") ?? 0)"))
            return new
        }
        return Evolved(
            name: "joined", old: try set([day]), new: try set([newDay], 3, [step]),
            objects: [root(day, 1, [.integer(24), .integer(11)])], expected: ["day #1 at='11-24' @1"])
    }

    private static let author = EntitySchema(name: "author", columns: [text("name")], uniques: [[0]])

    static func authorship(_ entity: String) -> MigrationStep {
        let reference = Column(
            name: "author_id", type: .id, isNullable: true, reference: Reference(target: "author", onDelete: .remove))
        return MigrationStep(
            "authors", version: 2, entity: entity, reading: [text("author", true)], adding: [.column(reference)],
            removing: ["author"], creating: [author]
        ) { object, context in
            var new = context.reshaped(object)
            let name = try object.value("author")
            if name == .null { return new }
            if let id = try context.id(of: "author", where: ["name": name]) {
                try new.set("author_id", .id(id))
            } else {
                let author = try context.newObject(of: "author", ["name": name])
                try context.insert(author)
                try new.set("author_id", .id(author.id))
            }
            return new
        }
    }

    /// A text becomes a reference to a new entity, one for each different text.
    static func moved() throws -> Evolved {
        let book = EntitySchema(name: "book", columns: [text("title"), text("author", true)])
        let reference = Column(
            name: "author_id", type: .id, isNullable: true, reference: Reference(target: "author", onDelete: .remove))
        let newBook = EntitySchema(name: "book", columns: [text("title"), reference])
        return Evolved(
            name: "moved", old: try set([book]), new: try set([author, newBook], 2, [authorship("book")]),
            objects: [
                root(book, 1, [.text("a"), .text("Ann")]), root(book, 2, [.text("b"), .text("Bob")]),
                root(book, 3, [.text("c"), .text("Ann")]), root(book, 4, [.text("d"), .null]),
            ],
            expected: [
                "author <author 'Ann'> name='Ann' @1", "author <author 'Bob'> name='Bob' @1",
                "book #1 title='a' author_id=<author 'Ann'> @1", "book #2 title='b' author_id=<author 'Bob'> @1",
                "book #3 title='c' author_id=<author 'Ann'> @1", "book #4 title='d' author_id=NULL @1",
            ])
    }

    /// The same for an owned entity, with an owner that is not changed.
    static func movedFromOwned() throws -> Evolved {
        let part = EntitySchema(name: "part", columns: [text("author", true), text("text")])
        let reference = Column(
            name: "author_id", type: .id, isNullable: true, reference: Reference(target: "author", onDelete: .remove))
        let newPart = EntitySchema(name: "part", columns: [text("text"), reference])
        func book(_ part: EntitySchema) -> EntitySchema {
            EntitySchema(
                name: "book", columns: [text("title")], children: [ChildRelationship(name: "parts", schema: part)])
        }
        return Evolved(
            name: "moved from owned", old: try set([book(part)]),
            new: try set([author, book(newPart)], 2, [authorship("part")]),
            objects: [
                root(
                    book(part), 1, [.text("a")],
                    children: [[root(part, 9, [.text("Ann"), .text("x")]), root(part, 8, [.null, .text("y")])]]),
                root(book(part), 2, [.text("b")], children: [[root(part, 7, [.text("Ann"), .text("z")])]]),
            ],
            expected: [
                "author <author 'Ann'> name='Ann' @1",
                "book #1 title='a' parts=[part #9 text='x' author_id=<author 'Ann'> part #8 text='y' author_id=NULL] @1",
                "book #2 title='b' parts=[part #7 text='z' author_id=<author 'Ann'>] @1",
            ])
    }
}
