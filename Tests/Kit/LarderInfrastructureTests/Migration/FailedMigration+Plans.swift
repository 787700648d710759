import LarderData
import LarderDomain

@testable import LarderInfrastructure

/// Migrations that cannot be planned, or that the data does not permit.
extension FailedMigration {
    static func plans() throws -> [FailedMigration] {
        let nick = Column(name: "nick", type: .text)
        let derived = Column(name: "folded", type: .text, isDerived: true)
        let reference = Column(
            name: "tag_id", type: .id, isNullable: true, reference: Reference(target: "book", onDelete: .remove))
        let words = EntitySchema(name: "tag_words", columns: [derived], indexes: [[0]])
        let refuse: SchemaSet.Derivation = { (_) throws(PersistencyError) in throw .unknownEntity("x") }
        func hint(_ former: String...) -> SchemaHints { SchemaHints(formerMembers: ["nick": former]) }
        return [
            try FailedMigration(
                "unique over equal values", set(tag([text], uniques: [[0]])), "the same name", "\(Sample.id(1))",
                "\(Sample.id(2))", "change"),
            try FailedMigration(
                "a derived column that cannot be computed", set(tag([text, derived]), derivations: ["tag": refuse]),
                "cannot be computed", "\(Sample.id(1))"),
            try FailedMigration(
                "a derived column that nothing computes", set(tag([text, derived])), "no value for tag.folded"),
            try FailedMigration(
                "a derived list that nothing computes",
                set([
                    EntitySchema(
                        name: "tag", columns: [text], children: [ChildRelationship(name: "words", schema: words)]),
                    book,
                ]), "no tag_words", "does not compute it"),
            try FailedMigration(
                "a column without a value", set(tag([text, nick])), "no value for tag.nick", "a default", "a step"),
            try FailedMigration(
                "another type", set(tag([Column(name: "name", type: .integer)]), 2), "convert it with a step"),
            try FailedMigration(
                "another target",
                set([tag, EntitySchema(name: "book", columns: [text, reference], children: book.children)], 2),
                "convert it with a step"),
            try FailedMigration(
                "an owned entity that becomes a root",
                set([tag, part, EntitySchema(name: "book", columns: book.columns)], 2), "move its data with a step"),
            try FailedMigration(
                "a rename without a higher version", set(tag([nick], hints: hint("name"))),
                "rename tag.name to nick", "raise it from 1 to 2"),
            try FailedMigration(
                "a removal without a higher version", set(tag([], hints: SchemaHints(dropped: ["name"]))),
                "drop tag.name", "raise it from 1 to 2"),
            try FailedMigration(
                "null without a higher version", set(tag([Column(name: "name", type: .text, isNullable: true)])),
                "raise it from 1 to 2"),
            try FailedMigration(
                "a rename of a column that the store lacks", set(tag([text, nick], hints: hint("nom")), 2),
                "declared as renamed from nom, which the store does not have"),
            try FailedMigration(
                "a removal without a hint", set(tag([]), 2), "tag.name, text", "declare it as dropped in tag"),
            try FailedMigration(
                "a removed list without a hint", set([tag, EntitySchema(name: "book", columns: book.columns)], 2),
                "part, owned by book", "dropped"),
            try FailedMigration(
                "a store that is too old", set([tag, book], 4, oldest: 3), "migrates stores from version 3",
                "with an earlier version of the program first"),
            try FailedMigration(
                "a rename that is not permitted", set(tag([nick], hints: hint("name")), 2),
                "migrate it first", "rename tag.name to nick", options: MigrationOptions()),
            try FailedMigration(
                "an addition that is not permitted",
                set(tag([text, Column(name: "nick", type: .text, isNullable: true)])),
                "must be migrated first", "add tag.nick", options: MigrationOptions(mode: .none)),
        ]
    }

    /// Migrations of other data.
    static func values() throws -> [FailedMigration] {
        func priced(_ scale: Int?) -> EntitySchema {
            EntitySchema(name: "tag", columns: [text, Column(name: "price", type: .integer, scale: scale)])
        }
        func tags(_ schema: EntitySchema, _ count: Int, _ values: Value...) -> [StorageObject] {
            (1...count).map { StorageObject(schema: schema, id: Sample.id($0), version: 1, values: values) }
        }
        let scales: [(Int?, Int?)] = [(2, 3), (3, 2), (0, 9), (nil, 0), (2, nil)]
        let rescaled = try scales.map { old, new in
            FailedMigration(
                "the scale \(old ?? -1) that becomes \(new ?? -1)", try set([priced(old), book]),
                tags(priced(old), 1, .text("t"), .integer(150)), to: try set([priced(new), book], 2), "tag.price",
                "convert it with a step")
        }
        let unique = FailedMigration(
            "unique over five equal values", try set(), tags(tag, 5, .text("t")),
            to: try set(tag([text], uniques: [[0]])), "the same name",
            (1...3).map { Sample.id($0).description }.joined(separator: ", "))
        return rescaled + [unique]
    }

    /// Schemas that contradict themselves.
    static func contradictions() -> [(String, () throws -> SchemaSet)] {
        func step(_ name: String, _ version: Int, _ refusesBefore: Int? = nil) -> MigrationStep {
            MigrationStep(name, version: version, refusesBefore: refusesBefore, entity: "tag") { $1.reshaped($0) }
        }
        func hints(_ hints: SchemaHints) -> [EntitySchema] { tag([text], hints: hints) }
        return [
            ("version 0", { try set([tag], 0) }),
            ("the oldest that can be migrated, 3", { try set([tag], 2, oldest: 3) }),
            ("follows one of a later version", { try set([tag], 3, [step("a", 3), step("b", 2)]) }),
            ("two steps are named 'a'", { try set([tag], 3, [step("a", 2), step("a", 3)]) }),
            ("the name is empty", { try set([tag], 3, [step("", 2)]) }),
            ("the versions of steps are 2 to 3", { try set([tag], 3, [step("a", 4)]) }),
            ("the versions of steps are 2 to 3", { try set([tag], 3, [step("a", 1)]) }),
            ("refuses versions before 3", { try set([tag], 3, [step("a", 2, 3)]) }),
            ("tag is declared as dropped", { try set([tag], 2, dropped: ["tag"]) }),
            ("tag.name is declared as dropped", { try set(hints(SchemaHints(dropped: ["name"])), 2) }),
            ("tag.nom has a former name", { try set(hints(SchemaHints(formerMembers: ["nom": ["name"]])), 2) }),
            ("tag.name is renamed from itself", { try set(hints(SchemaHints(formerMembers: ["name": ["name"]])), 2) }),
            ("tag is renamed from itself", { try set(hints(SchemaHints(formerNames: ["tag"])), 2) }),
        ]
    }
}
