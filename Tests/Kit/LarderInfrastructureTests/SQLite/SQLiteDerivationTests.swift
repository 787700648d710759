import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Derived columns that are added to tables with rows.
@Suite(.serialized) struct SQLiteDerivationTests {
    private let scratch = Scratch()
    private let name = Column(name: "name", type: .text)
    private static let folded = Column(name: "folded", type: .text, isDerived: true)
    private static let length = Column(name: "length", type: .integer, isNullable: true, isDerived: true)

    /// A schema `thing` with parts; `derivation` computes a value from the name of both.
    private func schemas(
        _ columns: [Column] = [], part: [Column] = [], uniques: [[Int]] = [], indexes: [[Int]] = [],
        _ derivation: SchemaSet.Derivation? = nil
    ) throws -> SchemaSet {
        let part = EntitySchema(name: "part", columns: [name] + part)
        let thing = EntitySchema(
            name: "thing", columns: [name] + columns, children: [ChildRelationship(name: "parts", schema: part)],
            uniques: uniques, indexes: indexes)
        return try SchemaSet([thing], derivations: derivation.map { ["thing": $0] } ?? [:])
    }

    /// The values that a mapper would compute: the name in lower case, and for parts its length, unless that is 0.
    private static let derive: SchemaSet.Derivation = { (object) throws(PersistencyError) in
        guard case .text(let name) = object.values[0] else {
            throw .invalid(InvalidField(entity: "thing", field: "name", reason: "is missing"))
        }
        if name == "bad" { throw .invalid(InvalidField(entity: "thing", field: "name", reason: "is bad")) }
        var object = object
        if object.values.count > 1 { object.values[1] = .text(name.lowercased()) }
        for (index, part) in object.children[0].enumerated() where part.values.count > 1 {
            guard case .text(let name) = part.values[0] else { continue }
            object.children[0][index].values[1] = name.isEmpty ? .null : .integer(Int64(name.count))
        }
        return object
    }

    /// Fills a database with named objects.
    private func fill(_ names: [String]) async throws {
        let schemas = try schemas()
        let store = try await scratch.open(schemas: schemas)
        let things = names.enumerated().map { number, name in
            let parts = ["", name].enumerated().map { place, name in
                StorageObject(
                    schema: schemas.roots[0].children[0].schema, id: Sample.id(10_000 + 2 * number + place),
                    values: [.text(name)])
            }
            return StorageObject(
                schema: schemas.roots[0], id: Sample.id(number), values: [.text(name)], children: [parts])
        }
        _ = try await store.commit(ChangeSet(inserts: things))
        await store.close()
    }

    private func refusal(_ schemas: SchemaSet) async -> PersistencyError? {
        await failure { () throws(PersistencyError) in
            do {
                await (try scratch.open(schemas: schemas)).close()
            } catch let error as PersistencyError {
                throw error
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test func `rows have their values when the store is open, in more than one batch, at the versions that they had`()
        async throws
    {
        try await fill((0..<600).map { "Name \($0)" })
        let schemas = try schemas([Self.folded], part: [Self.length], indexes: [[1]], Self.derive)
        let store = try await scratch.open(schemas: schemas)
        let request = ReadRequest(
            schemas.roots[0], where: .compare(.column(1), .equal, .literal(.text("name 599"))), includesTotal: true)
        let found = try await store.read(request) { $0 }
        #expect(found.total == 1)
        #expect(found.items.map(\.id) == [Sample.id(599)] && found.items.map(\.version) == [1])
        #expect(found.items[0].children[0].map { $0.values[1] } == [.null, .integer(8)])
        let all = try await store.read(ReadRequest(schemas.roots[0])) { $0 }
        #expect(all.items.allSatisfy { $0.version == 1 && $0.values[1] == .text("name \($0.id.low)") })
        await store.close()
        // The backfill is recorded and does not run again.
        #expect(await refusal(try self.schemas([Self.folded], part: [Self.length], indexes: [[1]])) == nil)
    }

    @Test func `without a mapper that computes it, or with an unreadable row, it is refused as a whole`()
        async throws
    {
        try await fill(["Good", "bad"])
        for derivation in [nil, Self.derive] {
            let error = await refusal(try schemas([Self.folded], derivation))
            guard case .incompatible = error else { return #expect(Bool(false), "\(error as Any)") }
        }
        #expect(await refusal(try schemas()) == nil)
    }

    @Test func `a computed column may be unique, and is compared`() async throws {
        try await fill(["Good", "good"])
        let error = await refusal(try schemas([Self.folded], uniques: [[1]], Self.derive))
        guard case .incompatible = error else { return #expect(Bool(false), "\(error as Any)") }
        let store = try await scratch.open(schemas: try schemas())
        let thing = try #require(try await store.read(Sample.id(1), of: schemas().roots[0]))
        _ = try await store.commit(ChangeSet(deletes: [thing.expecting(1)]))
        await store.close()
        #expect(await refusal(try schemas([Self.folded], uniques: [[1]], Self.derive)) == nil)
    }
}
