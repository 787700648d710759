import LarderData
import LarderDomain

@testable import LarderInfrastructure

/// A migration that must fail, and the words by which its error says why and what to do.
struct FailedMigration: Sendable {
    let name: String
    var old: SchemaSet
    let new: SchemaSet
    let objects: [StorageObject]
    var options = MigrationBench.all
    let words: [String]

    static let text = Column(name: "name", type: .text)
    static let tag = EntitySchema(name: "tag", columns: [text])
    static let part = EntitySchema(name: "part", columns: [text])
    static let book = EntitySchema(
        name: "book",
        columns: [
            text,
            Column(name: "tag_id", type: .id, isNullable: true, reference: Reference(target: "tag", onDelete: .refuse)),
        ], children: [ChildRelationship(name: "parts", schema: part)])

    /// The data of all cases: two tags of the same name, and a book that refers to one of them.
    static let objects = [
        StorageObject(schema: tag, id: Sample.id(1), version: 1, values: [.text("t")]),
        StorageObject(schema: tag, id: Sample.id(2), version: 1, values: [.text("t")]),
        StorageObject(
            schema: book, id: Sample.id(3), version: 1, values: [.text("b"), .id(Sample.id(1))],
            children: [[StorageObject(schema: part, id: Sample.id(4), values: [.text("p")])]]),
    ]

    static func set(
        _ roots: [EntitySchema] = [tag, book], _ version: Int = 1, oldest: Int = 1, _ steps: [MigrationStep] = [],
        dropped: [String] = [], derivations: [String: SchemaSet.Derivation] = [:]
    ) throws -> SchemaSet {
        let evolution = SchemaEvolution(version: version, oldest: oldest, steps: steps, dropped: dropped)
        return try SchemaSet(roots, derivations: derivations, evolution: evolution)
    }

    /// `tag` with other columns.
    static func tag(_ columns: [Column], uniques: [[Int]] = [], hints: SchemaHints = SchemaHints()) -> [EntitySchema] {
        [EntitySchema(name: "tag", columns: columns, uniques: uniques, hints: hints), book]
    }

    init(_ name: String, _ new: SchemaSet, _ words: String..., options: MigrationOptions = MigrationBench.all) throws {
        (self.name, self.new, self.words, self.options) = (name, new, words, options)
        (old, objects) = (try Self.set(), Self.objects)
    }

    init(_ name: String, _ old: SchemaSet, _ objects: [StorageObject], to new: SchemaSet, _ words: String...) {
        (self.name, self.old, self.objects, self.new, self.words) = (name, old, objects, new, words)
    }
}

/// Failures of a step's function.
extension FailedMigration {
    struct Mishap: Error {}

    static func step(
        _ entity: String = "tag", reading: [Column] = [text], adding: [MigrationStep.Member] = [],
        removing: [String] = [], creating: [EntitySchema] = [],
        _ transform: @escaping MigrationStep.Transform = { $1.reshaped($0) }
    ) -> MigrationStep {
        MigrationStep(
            "mend", version: 2, entity: entity, reading: reading, adding: adding, removing: removing,
            creating: creating, transform: transform)
    }

    static func stepping(
        _ name: String, _ words: String..., step: MigrationStep, roots: [EntitySchema] = [tag, book]
    ) throws -> FailedMigration {
        var failed = try FailedMigration(name, try set(roots, 2, [step]))
        failed = FailedMigration(failed, words)
        return failed
    }

    private init(_ other: FailedMigration, _ words: [String]) {
        (name, old, new, objects, options) = (other.name, other.old, other.new, other.objects, other.options)
        self.words = words
    }

    static func steps() throws -> [FailedMigration] {
        let must = MigrationStep.Member.column(Column(name: "must", type: .integer))
        let withMust = tag([text, Column(name: "must", type: .integer)])
        let other = EntitySchema(name: "other", columns: [text], uniques: [[0]])
        return [
            try stepping("throws", "step 'mend' cannot change tag", "Mishap", step: step { _, _ in throw Mishap() }),
            try stepping(
                "sets a value of another type", "tag.name does not permit 1",
                step: step { tag, context in
                    var new = context.reshaped(tag)
                    try new.set("name", .integer(1))
                    return new
                }),
            try stepping(
                "writes a value of another type", "tag.name, text, does not permit 1",
                step: step { tag, context in
                    var new = context.reshaped(tag)
                    new.values[0] = .integer(1)
                    return new
                }),
            try stepping(
                "leaves out a value", "tag.must has no value", step: step(adding: [must]), roots: withMust),
            try stepping(
                "returns another object", "not the object in the new shape",
                step: step { tag, context in try context.newObject(of: "book", ["name": .text("x")]) }),
            try stepping(
                "returns the old shape", "change a copy from 'reshaped'", step: step(adding: [must]) { tag, _ in tag },
                roots: withMust),
            try stepping(
                "deletes an owned object", "an owned object is deleted by a step of its root",
                step: step("part") { _, _ in nil }),
            try stepping(
                "deletes an object to which another refers", "tag_id", "not exist", step: step { _, _ in nil }),
            try stepping(
                "inserts an object without a value", "other.name has no value",
                step: step(creating: [other]) { tag, context in
                    try context.insert(context.newObject(of: "other", [:]))
                    return context.reshaped(tag)
                }, roots: [tag, book, other]),
            try stepping(
                "inserts the same unique value twice", "other", "name",
                step: step(creating: [other]) { tag, context in
                    try context.insert(context.newObject(of: "other", ["name": .text("x")]))
                    return context.reshaped(tag)
                }, roots: [tag, book, other]),
            try stepping(
                "sets an unknown column", "tag has no column nam",
                step: step { tag, context in
                    var new = context.reshaped(tag)
                    try new.set("nam", .text(""))
                    return new
                }),
            try stepping(
                "looks up by columns that are not unique", "name is not a unique group of book",
                step: step { tag, context in
                    _ = try context.id(of: "book", where: ["name": .text("x")])
                    return context.reshaped(tag)
                }),
            try stepping(
                "looks up the entity that it changes", "tag",
                step: step { tag, context in
                    _ = try context.contains(tag.id, of: "tag")
                    return context.reshaped(tag)
                }),
            try stepping(
                "reads a column that the store lacks", "reads tag.nick, text, which the store does not have",
                "is a step before it missing?", step: step(reading: [Column(name: "nick", type: .text)])),
            try stepping(
                "reads a column of another type", "reads tag.name, integer, and the store has tag.name, text",
                step: step(reading: [Column(name: "name", type: .integer)])),
            try stepping(
                "removes a column that the store lacks", "removes tag.nick, which the store does not have",
                step: step(removing: ["nick"])),
            try stepping(
                "adds a column that has another type", "remove it first",
                step: step(adding: [.column(Column(name: "name", type: .integer))])),
        ]
    }
}
