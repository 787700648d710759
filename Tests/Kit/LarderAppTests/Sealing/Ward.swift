import LarderApp
import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import Testing

/// A sealed store with two patients, each with two visits, and a nurse, over a memory store whose content can be changed.
struct Ward {
    static let visit = EntitySchema(
        name: "visit", columns: [Column(name: "finding", type: .text, sealing: .content)])
    static let patient = EntitySchema(
        name: "patient",
        columns: [
            Column(name: "name", type: .text, sealing: .content),
            Column(name: "email", type: .text, sealing: .equality),
            Column(name: "weight", type: .real, isNullable: true, sealing: .content),
            Column(name: "alias", type: .text, sealing: .content),
        ], children: [ChildRelationship(name: "visits", schema: visit)], uniques: [[1]])
    static let nurse = EntitySchema(name: "nurse", columns: [Column(name: "name", type: .text, sealing: .content)])

    static func id(_ number: UInt64) -> RawID { RawID(high: 7, low: number) }

    let base: MemoryStore
    let store: SealedStore

    init(_ keys: SealingKeys, base: MemoryStore? = nil) async throws {
        let schemas = try SchemaSet([Self.patient, Self.nurse])
        let base = try base ?? MemoryStore(schemas.sealedForm(keys))
        self.base = base
        store = try await SealedStore.open(schemas, keys: keys) { _ in base }
    }

    func fill() async throws {
        func visit(_ number: UInt64) -> StorageObject {
            StorageObject(schema: Self.visit, id: Self.id(number), values: [.text("finding \(number)")])
        }
        func patient(_ number: UInt64) -> StorageObject {
            StorageObject(
                schema: Self.patient, id: Self.id(number),
                values: [.text("Ada"), .text("\(number)@example.org"), .real(60), .text("Ada")],
                children: [[visit(10 * number), visit(10 * number + 1)]])
        }
        // The nurse has the id of a patient.
        let nurse = StorageObject(schema: Self.nurse, id: Self.id(1), values: [.text("Ada")])
        _ = try await store.commit(ChangeSet(inserts: [patient(1), patient(2), nurse]))
    }

    /// The patients, then the nurses, as the base has them.
    var stored: [StorageObject] {
        get async throws {
            var objects: [StorageObject] = []
            for name in ["patient", "nurse"] {
                guard let schema = base.schemas[name] else { continue }
                objects += try await base.read(ReadRequest(schema)).items
            }
            return objects
        }
    }

    /// The error of reading patient 1 after its row in the base was replaced.
    func error(reading row: StorageObject) async throws -> PersistencyError? {
        let current = try #require(try await base.read(row.id, of: row.schema))
        let changes = ObjectChanges(from: current, to: row)
        _ = try await base.commit(
            ChangeSet(updates: [RootUpdate(row.key, expected: current.version, changes: changes)]))
        var found: PersistencyError?
        do throws(PersistencyError) {
            _ = try await store.read(row.id, of: Self.patient)
        } catch {
            found = error
        }
        let undo = ObjectChanges(from: row, to: current)
        _ = try await base.commit(
            ChangeSet(updates: [RootUpdate(row.key, expected: current.version + 1, changes: undo)]))
        return found
    }
}
