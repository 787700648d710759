import LarderData
import LarderDomain

@testable import LarderInfrastructure

/// One case for each kind of change, with as little else as possible.
extension Evolved {
    static func cases() throws -> [Evolved] {
        [
            try renamed(), try split(), try joined(), try moved(), try movedFromOwned(), try dropped(),
            try madeNullable(), try added(), try converted(), try deleted(), try listed(), try chained(),
        ]
    }

    private static func text(_ name: String, _ isNullable: Bool = false) -> Column {
        Column(name: name, type: .text, isNullable: isNullable)
    }

    private static func root(
        _ schema: EntitySchema, _ number: Int, _ values: [Value], children: [[StorageObject]]? = nil,
        links: [[Int]]? = nil
    ) -> StorageObject {
        StorageObject(
            schema: schema, id: Sample.id(number), version: 1, values: values,
            children: children ?? schema.children.map { _ in [] },
            links: links.map { $0.map { $0.map(Sample.id) } } ?? schema.links.map { _ in [] })
    }

    private static func set(
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
            name: "meal", columns: [
                Column(
                    name: "dish_id", type: .id, reference: Reference(target: "dish", onDelete: .cascade)),
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
            name: "meal", columns: [
                Column(
                    name: "recipe_id", type: .id, reference: Reference(target: "recipe", onDelete: .refuse)),
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

    private static func authorship(_ entity: String) -> MigrationStep {
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

    /// A column, a list of links, a list of owned objects, and an entity.
    static func dropped() throws -> Evolved {
        let part = EntitySchema(name: "part", columns: [text("text")])
        let tag = EntitySchema(name: "tag", columns: [text("name")])
        let reference = Column(
            name: "tag_id", type: .id, isNullable: true, reference: Reference(target: "tag", onDelete: .remove))
        let book = EntitySchema(
            name: "book", columns: [text("title"), text("note", true), reference, Column(name: "bytes", type: .blob)],
            children: [ChildRelationship(name: "parts", schema: part)],
            links: [LinkRelationship(name: "tags", target: "tag", onDelete: .remove)], indexes: [[1, 0]])
        let newBook = EntitySchema(
            name: "book", columns: [text("title")],
            hints: SchemaHints(dropped: ["note", "tag_id", "parts", "tags", "bytes"]))
        return Evolved(
            name: "dropped", old: try set([tag, book]), new: try set([newBook], 2, dropped: ["tag"]),
            objects: [
                root(tag, 1, [.text("t")]),
                root(
                    book, 2, [.text("a"), .text("n"), .id(Sample.id(1)), .blob([1])],
                    children: [[root(part, 3, [.text("p")])]], links: [[1]]),
            ], expected: ["book #2 title='a' @1"])
    }

    static func madeNullable() throws -> Evolved {
        let tag = EntitySchema(name: "tag", columns: [text("name"), text("note")], indexes: [[0]])
        let newTag = EntitySchema(name: "tag", columns: [text("name", true), text("note", true)], indexes: [[0]])
        return Evolved(
            name: "made nullable", old: try set([tag]), new: try set([newTag], 2),
            objects: [root(tag, 1, [.text("t"), .text("")])], expected: ["tag #1 name='t' note='' @1"])
    }

    /// Every kind of addition, at the same version.
    static func added() throws -> Evolved {
        let book = EntitySchema(name: "book", columns: [text("title")])
        let part = EntitySchema(name: "part", columns: [text("text")])
        let tag = EntitySchema(name: "tag", columns: [text("name")])
        let reference = Column(
            name: "tag_id", type: .id, isNullable: true, reference: Reference(target: "tag", onDelete: .remove))
        let newBook = EntitySchema(
            name: "book",
            columns: [
                text("note", true), text("title"), reference,
                Column(name: "share", type: .real, defaultValue: .real(0.1 + 0.2)),
                Column(name: "length", type: .integer, isDerived: true),
                Column(name: "bytes", type: .blob, isNullable: true),
            ], children: [ChildRelationship(name: "parts", schema: part)],
            links: [LinkRelationship(name: "tags", target: "tag", onDelete: .remove)], uniques: [[1]],
            indexes: [[4], [0, 1]])
        let derive: SchemaSet.Derivation = { (object) throws(PersistencyError) in
            var object = object
            try object.set("length", .integer(Int64(try object.text("title").utf8.count)))
            return object
        }
        return Evolved(
            name: "added", old: try set([book]), new: try set([tag, newBook], derivations: ["book": derive]),
            objects: [root(book, 1, [.text("abc")])],
            expected: [
                "book #1 note=NULL title='abc' tag_id=NULL share=0.30000000000000004 length=3 bytes=NULL tags=[] parts=[] @1"
            ])
    }

    /// Another unit in the same column.
    static func converted() throws -> Evolved {
        let minutes = Column(name: "time", type: .integer, isNullable: true)
        let recipe = EntitySchema(name: "recipe", columns: [minutes])
        let step = MigrationStep("seconds", version: 2, entity: "recipe", reading: [minutes]) { recipe, context in
            var new = context.reshaped(recipe)
            if let time = try recipe.integer("time") { try new.set("time", .integer(time * 60)) }
            return new
        }
        return Evolved(
            name: "converted", old: try set([recipe]), new: try set([recipe], 2, [step]),
            objects: [root(recipe, 1, [.integer(2)]), root(recipe, 2, [.null])],
            expected: ["recipe #1 time=120 @1", "recipe #2 time=NULL @1"])
    }

    /// Roots with everything that they own are deleted, and links to them.
    static func deleted() throws -> Evolved {
        let part = EntitySchema(name: "part", columns: [text("text")])
        let book = EntitySchema(
            name: "book", columns: [text("title")], children: [ChildRelationship(name: "parts", schema: part)])
        let shelf = EntitySchema(
            name: "shelf", columns: [], links: [LinkRelationship(name: "books", target: "book", onDelete: .remove)])
        let delete = MigrationStep("delete", version: 2, entity: "book", reading: [text("title")]) { book, context in
            try book.text("title").isEmpty ? nil : context.reshaped(book)
        }
        let unlink = MigrationStep("unlink", version: 2, entity: "shelf") { shelf, context in
            var new = context.reshaped(shelf)
            new.links[0] = try shelf.links[0].filter { try context.contains($0, of: "book") }
            return new
        }
        return Evolved(
            name: "deleted", old: try set([book, shelf]), new: try set([book, shelf], 2, [delete, unlink]),
            objects: [
                root(book, 1, [.text("")], children: [[root(part, 3, [.text("p")])]]),
                root(book, 2, [.text("b")], children: [[root(part, 4, [.text("q")])]]),
                root(shelf, 5, [], links: [[1, 2]]),
            ],
            expected: ["book #2 title='b' parts=[part #4 text='q'] @1", "shelf #5 books=[#2] @1"])
    }

    /// A text becomes a list of owned objects, and a list of links another one.
    static func listed() throws -> Evolved {
        let book = EntitySchema(
            name: "book", columns: [text("lines")], links: [LinkRelationship(name: "next", target: "book", onDelete: .remove)])
        let line = EntitySchema(name: "line", columns: [text("text")])
        let lines = ChildRelationship(name: "lines", schema: line)
        let before = LinkRelationship(name: "others", target: "book", onDelete: .remove)
        let newBook = EntitySchema(name: "book", columns: [], children: [lines], links: [before])
        let step = MigrationStep(
            "lines", version: 2, entity: "book", reading: [text("lines")], adding: [.children(lines), .links(before)],
            removing: ["lines", "next"]
        ) { book, context in
            var new = context.reshaped(book)
            let schema = new.schema.children[0].schema
            new.children[0] = try book.text("lines").split(separator: "\n").enumerated().map { index, text in
                let id = Sample.id(100 * Int(book.id.low) + index)
                return StorageObject(schema: schema, id: id, values: [.text(String(text))])
            }
            new.links[0] = book.links[0].reversed()
            return new
        }
        return Evolved(
            name: "listed", old: try set([book]), new: try set([newBook], 2, [step]),
            objects: [
                root(book, 1, [.text("a\nb")], links: [[1, 2]]), root(book, 2, [.text("")], links: [[]]),
            ],
            expected: [
                "book #1 others=[#2 #1] lines=[line #100 text='a' line #101 text='b'] @1",
                "book #2 others=[] lines=[] @1",
            ])
    }

    /// A step of version 2 reads a column that version 3 renames; a step of version 4 reads a column that version 3 has
    /// renamed and version 5 renames again.
    static func chained() throws -> Evolved {
        let tag = EntitySchema(name: "label", columns: [text("title")])
        let newTag = EntitySchema(
            name: "tag", columns: [text("name")],
            hints: SchemaHints(formerNames: ["label"], formerMembers: ["name": ["word", "title"]]))
        func append(_ name: String, _ version: Int, _ entity: String, _ column: String) -> MigrationStep {
            MigrationStep(name, version: version, entity: entity, reading: [text(column)]) { tag, context in
                var new = context.reshaped(tag)
                try new.set(column, .text(try tag.text(column) + name))
                return new
            }
        }
        let steps = [append("x", 2, "label", "title"), append("y", 4, "tag", "word")]
        return Evolved(
            name: "chained", old: try set([tag]), new: try set([newTag], 5, steps),
            objects: [root(tag, 1, [.text("t")])], expected: ["tag #1 name='txy' @1"])
    }
}
