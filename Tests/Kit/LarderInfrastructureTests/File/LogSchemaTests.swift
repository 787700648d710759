import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Logs that were written with fewer declarations.
struct LogSchemaTests {
    private let name = Column(name: "name", type: .text)
    private let fileSystem = SimulatedFileSystem(LogBench.disk)

    /// A schema `thing` that refers to `other`.
    private func schemas(
        _ columns: [Column], children: [ChildRelationship] = [], links: [LinkRelationship] = [], uniques: [[Int]] = [],
        indexes: [[Int]] = [], _ derivation: SchemaSet.Derivation? = nil
    ) throws -> SchemaSet {
        try SchemaSet(
            [
                EntitySchema(
                    name: "thing", columns: columns, children: children, links: links, uniques: uniques,
                    indexes: indexes),
                EntitySchema(name: "other", columns: []),
            ], derivations: derivation.map { ["thing": $0] } ?? [:])
    }

    private func thing(_ schemas: SchemaSet, _ number: Int, _ values: [Value]) -> StorageObject {
        let schema = schemas.roots[0]
        return StorageObject(
            schema: schema, id: Sample.id(number), values: values, children: schema.children.map { _ in [] },
            links: schema.links.map { _ in [] })
    }

    /// A log with some commits, closed or unclosed.
    private func fill(_ schemas: SchemaSet, _ values: [[Value]], closing: Bool) throws {
        var engine = try LogBench(schemas).open(fileSystem)
        for (number, values) in values.enumerated() { try engine.insert(thing(schemas, number, values)) }
        var changed = thing(schemas, 0, values[0])
        changed.version = 1
        try engine.commit(ChangeSet(updates: [changed.update(from: changed)]))
        if closing { engine.close() }
        fileSystem.killProcess()
    }

    private func refusal(_ schemas: SchemaSet) -> String? {
        let before = fileSystem.disk.files
        defer { fileSystem.killProcess() }
        let found = LarderInfrastructureTests.refusal { () throws(PersistencyError) in
            _ = try LogBench(schemas).open(fileSystem)
        }
        if found != nil { #expect(fileSystem.disk.files == before) }
        return found
    }

    @Test(arguments: [true, false])
    func `additions are applied, and roots that are there get their values`(isClosed: Bool) throws {
        let first = try schemas([name])
        try fill(first, [[.text("a")], [.text("b")]], closing: isClosed)
        let part = EntitySchema(name: "part", columns: [name])
        let second = try schemas(
            [
                Column(name: "note", type: .text, isNullable: true), name,
                Column(name: "count", type: .integer, defaultValue: .integer(-3)),
                Column(name: "share", type: .real, defaultValue: .real(0.1 + 0.2)),
                Column(
                    name: "other", type: .id, isNullable: true, reference: Reference(target: "other", onDelete: .remove)
                ),
                Column(name: "code", type: .text, isNullable: true),
            ], children: [ChildRelationship(name: "parts", schema: part)],
            links: [LinkRelationship(name: "others", target: "other", onDelete: .remove)], uniques: [[5]],
            indexes: [[1], [2]])
        var engine = try LogBench(second).open(fileSystem)
        let thing = second.roots[0]
        let expected: [Value] = [.null, .text("a"), .integer(-3), .real(0.1 + 0.2), .null, .null]
        #expect(engine.roots(thing).first?.values == expected)
        #expect(engine.roots(thing).map(\.version) == [2, 1])
        var changed = try #require(engine.roots(thing).last)
        changed.values[0] = .text("new")
        changed.children[0] = [StorageObject(schema: part, id: Sample.id(50), values: [.text("p")])]
        try engine.replace(changed)
        engine.close()
        fileSystem.killProcess()
        // The first schema does not declare the added columns.
        #expect(refusal(first) == "incompatible")
        let again = try LogBench(second).open(fileSystem)
        #expect(again.roots(thing).last == changed)
    }

    @Test(arguments: [true, false])
    func `further columns keep their values, also when the log is compacted, and new roots get defaults`(
        isClosed: Bool
    ) throws {
        let part = EntitySchema(name: "part", columns: [name])
        let newPart = EntitySchema(
            name: "part", columns: [Column(name: "size", type: .integer, isNullable: true), name])
        let old = try schemas([name], children: [ChildRelationship(name: "parts", schema: part)])
        let new = try schemas(
            [
                Column(name: "note", type: .text, isNullable: true), name,
                Column(name: "count", type: .integer, defaultValue: .integer(-3)),
            ], children: [ChildRelationship(name: "parts", schema: newPart)])
        try fill(
            new, [[.text("kept"), .text("a"), .integer(7)], [.null, .text("b"), .integer(8)]], closing: isClosed)
        var engine = try LogBench(old).open(fileSystem)
        var changed = try #require(engine.roots(old.roots[0]).first?.declared)
        #expect(changed.values == [.text("a")] && engine.roots(old.roots[0]).count == 2)
        changed.values = [.text("changed")]
        changed.children[0] = [StorageObject(schema: part, id: Sample.id(50), values: [.text("p")])]
        try engine.replace(changed)
        try engine.insert(thing(old, 7, [.text("new")]))
        try engine.compact()
        try engine.insert(thing(old, 8, [.text("newer")]))
        if isClosed { engine.close() }
        fileSystem.killProcess()
        // The data of the previous version is current for this version.
        let written = fileSystem.disk.files
        _ = try LogBench(old).open(fileSystem)
        #expect(!isClosed || fileSystem.disk.files == written)
        fileSystem.killProcess()
        let found = try LogBench(new).open(fileSystem).roots(new.roots[0])
        #expect(
            found.map(\.values) == [
                [.text("kept"), .text("changed"), .integer(7)], [.null, .text("b"), .integer(8)],
                [.null, .text("new"), .integer(-3)], [.null, .text("newer"), .integer(-3)],
            ])
        #expect(found[0].children[0].map(\.values) == [[.null, .text("p")]] && found.map(\.version) == [3, 1, 1, 1])
    }

    @Test func `a further column that is derived, refers, or must have a value is refused`() throws {
        let reference = Reference(target: "other", onDelete: .remove)
        for column in [
            Column(name: "must", type: .integer),
            Column(name: "folded", type: .text, isNullable: true, isDerived: true),
            Column(name: "other", type: .id, isNullable: true, reference: reference),
        ] {
            let tests = LogSchemaTests()
            let new = try tests.schemas([name, column])
            try tests.fill(new, [[.text("a"), column.isNullable ? .null : .integer(1)]], closing: true)
            #expect(tests.refusal(try tests.schemas([name])) == "incompatible")
        }
    }

    @Test func `indexes come and go with their declarations, and nothing is refused for them`() throws {
        let plain = try schemas([name])
        try fill(plain, [[.text("a")], [.text("b")]], closing: true)
        for indexes in [[[0]], [[0], [0]], []] {
            let engine = try LogBench(try schemas([name], indexes: indexes)).open(fileSystem)
            #expect(engine.roots(plain.roots[0]).map(\.values) == [[.text("a")], [.text("b")]])
            fileSystem.killProcess()
        }
    }

    @Test func `a change that is not an addition is refused, and the log is unchanged`() throws {
        let id = Column(
            name: "other", type: .id, isNullable: true, reference: Reference(target: "other", onDelete: .remove))
        let first = try schemas([name, id])
        try fill(first, [[.text("a"), .null]], closing: true)
        let refused = [
            try schemas([name]), try schemas([Column(name: "name", type: .text, isNullable: true), id]),
            try schemas([Column(name: "name", type: .blob), id]),
            try schemas([name, id, Column(name: "must", type: .integer)]),
            try schemas([name, id, Column(name: "folded", type: .text, isNullable: true, isDerived: true)]),
            try SchemaSet([EntitySchema(name: "thing", columns: [name])]),
        ]
        for schemas in refused { #expect(refusal(schemas) == "incompatible") }
        #expect(refusal(first) == nil)
    }

    @Test func `members in another order are the same members`() throws {
        let other = Column(name: "word", type: .text)
        try fill(try schemas([name, other]), [[.text("name"), .text("word")]], closing: true)
        let turned = try schemas([other, name])
        var engine = try LogBench(turned).open(fileSystem)
        #expect(engine.roots(turned.roots[0]).map(\.values) == [[.text("word"), .text("name")]])
        let second = thing(turned, 7, [.text("w"), .text("n")])
        try engine.insert(second)
        engine.close()
        fileSystem.killProcess()
        #expect(try LogBench(turned).open(fileSystem).roots(turned.roots[0]).last == second)
    }

    private static let folded = Column(name: "folded", type: .text, isDerived: true)

    /// The value that a mapper would compute: the name in lower case.
    private static let derive: SchemaSet.Derivation = { (object) throws(PersistencyError) in
        guard case .text(let name) = object.values[0], name != "bad" else {
            throw .invalid(InvalidField(entity: "thing", field: "name", reason: "is bad"))
        }
        var object = object
        object.values[1] = .text(name.lowercased())
        return object
    }

    @Test func `a derived column is computed for roots that are there, and their versions stay`() throws {
        try fill(try schemas([name]), [[.text("A")], [.text("b")]], closing: true)
        let derived = try schemas([name, Self.folded], uniques: [[1]], Self.derive)
        #expect(refusal(try schemas([name, Self.folded])) == "incompatible")
        let engine = try LogBench(derived).open(fileSystem)
        #expect(engine.roots(derived.roots[0]).map(\.values) == [[.text("A"), .text("a")], [.text("b"), .text("b")]])
        #expect(engine.roots(derived.roots[0]).map(\.version) == [2, 1])
        #expect(engine.state.sequence == 3)
    }

    @Test func `a derived column that cannot be computed, or is not unique, is refused`() throws {
        try fill(try schemas([name]), [[.text("A")], [.text("a")]], closing: true)
        #expect(refusal(try schemas([name, Self.folded], uniques: [[1]], Self.derive)) == "incompatible")
        #expect(refusal(try schemas([name, Self.folded], Self.derive)) == nil)
        let other = LogSchemaTests()
        try other.fill(try other.schemas([name]), [[.text("bad")]], closing: true)
        #expect(other.refusal(try other.schemas([name, Self.folded], Self.derive)) == "incompatible")
    }
}
