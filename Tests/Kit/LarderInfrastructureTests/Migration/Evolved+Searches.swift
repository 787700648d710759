import LarderData
import LarderDomain

@testable import LarderInfrastructure

/// Lists of the words of a search, which a migration computes.
extension Evolved {
    private static func words(_ entity: String, renamedFrom names: [String] = []) -> EntitySchema {
        EntitySchema(
            name: entity + "_words",
            columns: [Column(name: "words", type: .text, isDerived: true)], hints: SchemaHints(formerNames: names))
    }

    private static func note(_ name: String = "note", renamedFrom names: [String] = []) -> EntitySchema {
        EntitySchema(
            name: name, columns: [text("text")],
            children: [
                ChildRelationship(name: "words", schema: words(name, renamedFrom: names.map { $0 + "_words" }))
            ], hints: SchemaHints(formerNames: names))
    }

    private static func note(_ schema: EntitySchema, _ number: Int, _ text: String) -> StorageObject {
        let words = text.split(separator: " ").sorted().map { " \($0):1" }.joined()
        return root(
            schema, number, [.text(text)], children: [[root(schema.children[0].schema, number, [.text(words)])]])
    }

    private static func derivation(_ schema: EntitySchema) -> [String: SchemaSet.Derivation] {
        [
            schema.name: { (object) throws(PersistencyError) in
                note(schema, Int(object.id.low), try object.text("text"))
            }
        ]
    }

    /// A list that is added at the same version.
    static func searched() throws -> Evolved {
        let old = EntitySchema(name: "note", columns: [text("text")])
        let new = note()
        return Evolved(
            name: "searched", old: try set([old]), new: try set([new], derivations: derivation(new)),
            objects: [root(old, 1, [.text("b a")]), root(old, 2, [.text("")])],
            expected: [
                "note #1 text='b a' words=[note_words #1 words=' a:1 b:1'] @1",
                "note #2 text='' words=[note_words #2 words=''] @1",
            ])
    }

    /// A list in the former form, with a row for each word.
    static func searchedByRows() throws -> Evolved {
        let row = EntitySchema(
            name: "note_words",
            columns: [
                Column(name: "token", type: .text, isDerived: true),
                Column(name: "weight", type: .integer, isDerived: true),
            ], indexes: [[0]])
        let old = EntitySchema(
            name: "note", columns: [text("text")], children: [ChildRelationship(name: "words", schema: row)])
        let new = note()
        func words(_ words: String...) -> [StorageObject] {
            words.enumerated().map { root(row, 100 + $0, [.text($1), .integer(1)]) }
        }
        return Evolved(
            name: "searched by rows", old: try set([old]), new: try set([new], derivations: derivation(new)),
            objects: [
                root(old, 1, [.text("b a")], children: [words("a", "b")]), root(old, 2, [.text("")], children: [[]]),
            ],
            expected: [
                "note #1 text='b a' words=[note_words #1 words=' a:1 b:1'] @1",
                "note #2 text='' words=[note_words #2 words=''] @1",
            ])
    }

    /// A list that is there, and is computed again after a step.
    static func searchedAnew() throws -> Evolved {
        let schema = note()
        let step = MigrationStep(
            "shorten", version: 2, entity: "note", reading: [text("text")], adding: [], removing: []
        ) { note, context in
            var new = context.reshaped(note)
            try new.set("text", .text(String(try note.text("text").prefix(3))))
            return new
        }
        return Evolved(
            name: "searched anew", old: try set([schema]),
            new: try set([schema], 2, [step], derivations: derivation(schema)),
            objects: [note(schema, 1, "b a c")],
            expected: [
                "note #1 text='b a' words=[note_words #1 words=' a:1 b:1'] @1"
            ])
    }

    /// A list whose entity gets another name.
    static func searchedUnderOtherNames() throws -> Evolved {
        let (old, new) = (note(), note("memo", renamedFrom: ["note"]))
        return Evolved(
            name: "searched under other names", old: try set([old]),
            new: try set([new], 2, derivations: derivation(new)), objects: [note(old, 1, "a")],
            expected: ["memo #1 text='a' words=[memo_words #1 words=' a:1'] @1"])
    }
}
