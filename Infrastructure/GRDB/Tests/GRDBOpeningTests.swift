import GRDB
import LarderData
import LarderDomain
import LarderGRDB
import LarderInfrastructure
import LarderStoreContract
import Testing

struct GRDBOpeningTests {
    private let thing = EntitySchema(name: "thing", columns: [Column(name: "name", type: .text)])

    @Test func `a database of another program is refused and left unchanged`() async throws {
        try await withPath { path in
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
            await expectRefused(path, [thing], "was not created by GRDBStore")
            let mode = try await queue.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
            #expect(mode == "delete")
        }
    }

    @Test func `a database of SQLiteStore is refused`() async throws {
        try await withPath { path in
            let store = try await SQLiteStore.open(.init(.file(path)), schemas: SchemaSet([thing]))
            await store.close()
            await expectRefused(path, [thing], "was not created by GRDBStore")
        }
    }

    @Test func `columns with a default are added, and other differences are refused`() async throws {
        try await withPath { path in
            let row = StorageObject(schema: thing, id: RawID(high: 1, low: 1), values: [.text("a")])
            let store = try await GRDBStore.open(path: path, schemas: SchemaSet([thing]))
            _ = try await store.commit(ChangeSet(inserts: [row]))
            await store.close()
            let size = Column(name: "size", type: .integer, defaultValue: .integer(7))
            let sized = EntitySchema(name: "thing", columns: thing.columns + [size])
            let again = try await GRDBStore.open(path: path, schemas: SchemaSet([sized]))
            let values = try await again.read(row.id, of: sized)?.values
            #expect(values == [.text("a"), .integer(7)])
            await again.close()
            let strict = Column(name: "weight", type: .integer)
            await expectRefused(
                path, [EntitySchema(name: "thing", columns: sized.columns + [strict])], "new column weight")
            let blob = EntitySchema(name: "thing", columns: [Column(name: "name", type: .blob), size])
            await expectRefused(path, [blob], "the column name of the table thing is text not null")
            await expectRefused(path, [], "no schema declares the table thing")
        }
    }

    private func expectRefused(_ path: String, _ schemas: [EntitySchema], _ reason: String) async {
        let error = await #expect(throws: PersistencyError.self) {
            try await GRDBStore.open(path: path, schemas: SchemaSet(schemas))
        }
        guard case .incompatible(let text)? = error else { Issue.record("\(error as Any)"); return }
        #expect(text.contains(reason), "\(text)")
    }

    private func withPath(_ body: (String) async throws -> Void) async throws {
        let scratch = "opening-\(UInt64.random(in: .min ... .max))"
        defer { StoreFixture.remove(scratch) }
        try await body(StoreFixture.path(scratch))
    }

    private typealias Column = LarderData.Column
}
