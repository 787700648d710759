import LarderData
import LarderDomain

@testable import LarderInfrastructure

/// Cases that remove, add or convert.
extension Evolved {
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

    /// An integer that becomes a decimal, a decimal with another scale, and a new one with a default.
    static func decimals() throws -> Evolved {
        func price(_ name: String, scale: Int?, default value: Value? = nil) -> Column {
            Column(name: name, type: .integer, defaultValue: value, scale: scale)
        }
        let (euros, cost) = (price("euros", scale: nil), price("cost", scale: 2))
        let (newEuros, newCost) = (price("euros", scale: 2), price("cost", scale: 3))
        let item = EntitySchema(name: "item", columns: [euros, cost], indexes: [[1]])
        let newItem = EntitySchema(
            name: "item", columns: [newEuros, newCost, price("fee", scale: 2, default: .integer(50))], indexes: [[1]])
        let step = MigrationStep(
            "scales", version: 2, entity: "item", reading: [euros, cost],
            adding: [.column(newEuros), .column(newCost)],
            removing: ["euros", "cost"]
        ) { item, context in
            var new = context.reshaped(item)
            try new.set("euros", .integer((item.integer("euros") ?? 0) * 100))
            try new.set("cost", .integer((item.integer("cost") ?? 0) * 10))
            return new
        }
        return Evolved(
            name: "decimals", old: try set([item]), new: try set([newItem], 2, [step]),
            objects: [root(item, 1, [.integer(12), .integer(1_990)])],
            expected: ["item #1 euros=1200 cost=19900 fee=50 @1"])
    }

    /// Another unit in the same column, which has an index, of roots and of what they own.
    static func converted() throws -> Evolved {
        let minutes = Column(name: "time", type: .integer, isNullable: true)
        let part = EntitySchema(name: "part", columns: [text("text"), minutes], indexes: [[1]])
        let recipe = EntitySchema(
            name: "recipe", columns: [minutes, text("name")],
            children: [ChildRelationship(name: "parts", schema: part)], uniques: [[1]], indexes: [[0]])
        let steps = ["recipe", "part"].map { entity in
            MigrationStep("seconds of \(entity)", version: 2, entity: entity, reading: [minutes]) { object, context in
                var new = context.reshaped(object)
                if let time = try object.integer("time") { try new.set("time", .integer(time * 60)) }
                return new
            }
        }
        func object(_ number: Int, _ time: Value) -> StorageObject {
            let part = root(part, number + 2, [.text("p"), time])
            return root(recipe, number, [time, .text("r\(number)")], children: [[part]])
        }
        return Evolved(
            name: "converted", old: try set([recipe]), new: try set([recipe], 2, steps),
            objects: [object(1, .integer(2)), object(2, .null)],
            expected: [
                "recipe #1 time=120 name='r1' parts=[part #3 text='p' time=120] @1",
                "recipe #2 time=NULL name='r2' parts=[part #4 text='p' time=NULL] @1",
            ])
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
            name: "book", columns: [text("lines")],
            links: [LinkRelationship(name: "next", target: "book", onDelete: .remove)])
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

    /// A required column permits `null`, and another one is replaced by one whose name differs by a case. `null` finds no
    /// root by its unique values.
    static func relaxed() throws -> Evolved {
        let (name, code) = (text("name"), Column(name: "Code", type: .integer))
        let (newName, newCode) = (text("name", true), text("code"))
        let note = EntitySchema(name: "note", columns: [name, code])
        let newNote = EntitySchema(name: "note", columns: [newName, newCode])
        let key = EntitySchema(name: "key", columns: [text("text", true)], uniques: [[0]])
        let step = MigrationStep(
            "relax", version: 2, entity: "note", reading: [name, code], adding: [.column(newName), .column(newCode)],
            removing: ["Code"]
        ) { note, context in
            var new = context.reshaped(note)
            if try note.text("name").isEmpty { try new.set("name", .null) }
            let found = try context.id(of: "key", where: ["text": .null])
            try new.set("code", .text("\(try note.integer("Code") ?? 0)\(found == nil ? "" : " found")"))
            return new
        }
        return Evolved(
            name: "relaxed", old: try set([note, key]), new: try set([newNote, key], 2, [step]),
            objects: [
                root(note, 1, [.text(""), .integer(7)]), root(note, 2, [.text("n"), .integer(8)]),
                root(key, 3, [.null]),
            ],
            expected: ["key #3 text=NULL @1", "note #1 name=NULL code='7' @1", "note #2 name='n' code='8' @1"])
    }
}
