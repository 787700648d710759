import Foundation
import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import Testing

@Suite("A sealed store")
struct SealedStoreTests {
    private let ada = Patient(
        id: EntityID(RawID(high: 1, low: 1)), name: "canary Ada", email: "canary@example.org", weight: 61.5,
        visits: [Visit(id: EntityID(RawID(high: 2, low: 1)), finding: "canary cough")])

    @Test func `reads the written values, and its base has no plain text`() async throws {
        let clinic = try await Clinic()
        _ = try await clinic.manager.create(ada)
        let read = try #require(try await clinic.manager.read(ada.id)).entity
        #expect(read.name == ada.name && read.email == ada.email && read.weight == ada.weight)
        #expect(read.visits.map(\.finding) == ["canary cough"])
        let stored = "\(try await clinic.stored)"
        #expect(!stored.contains("canary") && !stored.contains("61.5"))
        // A blob is printed as numbers.
        let bytes = Array("canary".utf8).map(String.init).joined(separator: ", ")
        #expect(!stored.contains(bytes))
    }

    @Test func `writes nothing for equal values, and only the values that differ`() async throws {
        let clinic = try await Clinic()
        _ = try await clinic.manager.create(ada)
        let before = try #require(try await clinic.stored.first)
        #expect(try await clinic.manager.save(ada).outcome == .unchanged)
        #expect(try #require(try await clinic.stored.first) == before)
        var heavier = ada
        heavier.weight = 62
        _ = try await clinic.manager.save(heavier)
        let after = try #require(try await clinic.stored.first)
        #expect(before.values.indices.filter { before.values[$0] != after.values[$0] } == [2])
        #expect(before.children == after.children)
    }

    @Test func `finds equal values and null, and refuses all other queries by name`() async throws {
        let clinic = try await Clinic()
        _ = try await clinic.manager.create(ada)
        func count(_ predicate: Predicate<Patient>) async throws -> Int {
            try await clinic.manager.read(Query(predicate)).items.count
        }
        let (email, other) = ("canary@example.org", "other@example.org")
        #expect(try await count(#Predicate { $0.email == email }) == 1)
        #expect(try await count(#Predicate { $0.email != email }) == 0)
        #expect(try await count(#Predicate { [email, other].contains($0.email) }) == 1)
        #expect(try await count(#Predicate { $0.email == other || $0.weight == nil }) == 0)
        #expect(try await count(#Predicate { $0.email != nil && !($0.email == other) }) == 1)
        let refused: [(Predicate<Patient>, String)] = [
            (#Predicate { $0.name == email }, "patient.name"), (#Predicate { $0.name.contains("a") }, "patient.name"),
            (#Predicate { ($0.email ?? "") > other }, "patient.email"),
            (#Predicate { $0.name.starts(with: "a") }, "patient.name"),
            (#Predicate { ($0.weight ?? 1) + 1 > 3 }, "patient.weight"),
            (#Predicate { $0.email != nil && $0.name == $0.name }, "patient.name"),
            (#Predicate { $0.visits.contains { $0.finding == email } }, "visit.finding"),
        ]
        for (predicate, column) in refused {
            await expectUnsupported(column) { _ = try await count(predicate) }
            await expectUnsupported(column) {
                try await clinic.manager.transaction { _ = try await $0.read(Query(predicate)) }
            }
        }
        await expectUnsupported("patient.email") {
            _ = try await clinic.manager.read(Query<Patient>(sort: [Sort(\.email)]))
        }
        await expectUnsupported("patient.email") {
            _ = try await clinic.manager.counts(Query<Patient>(), by: .value(\.email))
        }
    }

    /// A hash is that of bytes, in which the two zeros differ.
    @Test func `finds a zero by a negative zero`() async throws {
        let schema = EntitySchema(name: "gauge", columns: [Column(name: "level", type: .real, sealing: .equality)])
        let store = try await SealedStore.open(SchemaSet([schema]), keys: .fake()) { MemoryStore($0) }
        let zero = StorageObject(schema: schema, id: RawID(high: 1, low: 1), values: [.real(0)])
        _ = try await store.commit(ChangeSet(inserts: [zero]))
        let negative = Value.real(-0.0)
        let equal = Condition.compare(.column(0), .equal, .literal(negative))
        for condition in [equal, .isIn(.column(0), [negative])] {
            #expect(try await store.read(ReadRequest(schema, where: condition)).items == [zero])
        }
    }

    /// A caller of the port is refused, too, without a mapper.
    @Test func `refuses requests at the port`() async throws {
        let clinic = try await Clinic()
        let schema = PatientMapper.mapping.schema
        await expectUnsupported("patient.name") {
            _ = try await clinic.store.read(ReadRequest(schema, order: [OrderTerm(.column(0))]))
        }
        await expectUnsupported("patient.name") {
            _ = try await clinic.store.read(ReadRequest(schema, where: .hasPrefix(.column(0), "a")))
        }
        await expectUnsupported("patient.weight") {
            _ = try await clinic.store.counts(CountRequest(schema, where: .always(true), by: .column(2)))
        }
    }

    @Test func `names the column of a duplicate, and not that of its hash`() async throws {
        let clinic = try await Clinic()
        _ = try await clinic.manager.create(ada)
        let twin = Patient(id: EntityID(RawID(high: 1, low: 2)), email: ada.email)
        do {
            _ = try await clinic.manager.create(twin)
            Issue.record("the duplicate was stored")
        } catch .duplicate(let duplicate) {
            #expect(duplicate.columns == ["email"] && duplicate.existing == ada.id.rawValue)
        }
    }

    @Test func `a store that does not seal refuses commits of schemas with sealed columns`() async throws {
        let mappers = try MapperSet(Clinic.mappers)
        let store = MemoryStore(mappers.schemas)
        do {
            _ = try await StoreManager(store, mappers: mappers).create(ada)
            Issue.record("a sealed column was written in plain text")
        } catch .incompatible(let reason) {
            #expect(reason.contains("patient.name is sealed"))
        }
    }

    @Test func `gives access to its base as a store of objects only`() async throws {
        let clinic = try await Clinic()
        #expect(clinic.store.feature(MemoryStore.self) == nil)
        #expect(clinic.store.feature((any MeasuredStore).self) != nil)
        #expect(CachedStore(clinic.store).feature(SealedStore.self) === clinic.store)
    }

    @Test func `values survive renamed entities and columns`() async throws {
        let keys = try SealingKeys.fake()
        func schema(_ entity: String, _ column: String, _ hints: SchemaHints = SchemaHints()) -> EntitySchema {
            EntitySchema(
                name: entity, columns: [Column(name: column, type: .text, sealing: .equality)], uniques: [[0]],
                hints: hints)
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "larder-sealed-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func open(_ schema: EntitySchema, version: Int) async throws -> SealedStore {
            let set = try SchemaSet([schema], evolution: SchemaEvolution(version: version))
            return try await SealedStore.open(set, keys: keys) { schemas in
                try await SQLiteStore.open(
                    .init(.file(folder + "/s.sqlite"), migration: MigrationOptions(mode: .all)), schemas: schemas)
            }
        }
        let before = schema("person", "email")
        let store = try await open(before, version: 1)
        let person = StorageObject(schema: before, id: RawID(high: 1, low: 1), values: [.text("a@example.org")])
        _ = try await store.commit(ChangeSet(inserts: [person]))
        await store.close()
        let after = schema(
            "patient", "address", SchemaHints(formerNames: ["person"], formerMembers: ["address": ["email"]]))
        let renamed = try await open(after, version: 2)
        let equal = Condition.compare(.column(0), .equal, .literal(.text("a@example.org")))
        #expect(try await renamed.read(ReadRequest(after, where: equal)).items.map(\.values) == [person.values])
        await renamed.close()
    }
}

/// Expects a query to be refused with an error that names the column.
func expectUnsupported(
    _ column: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("the query was answered", sourceLocation: sourceLocation)
    } catch PersistencyError.unsupportedQuery(let reason) {
        #expect(reason.hasPrefix(column + " is sealed"), "\(reason)", sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
