import CLarderSQLite
import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// Creation and removal of declared indexes.
extension SQLiteOpeningTests {
    @Test func `indexes are created when they are declared, and dropped by a higher version`() async throws {
        let id = Column(
            name: "other", type: .id, isNullable: true, reference: Reference(target: "other", onDelete: .remove))
        let note = Column(name: "note", type: .text, isNullable: true)
        func indexes() throws -> [String] {
            let connection = try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READONLY)
            let statement = try connection.statement(
                "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'thing' AND sql > '' ORDER BY 1"
            )
            defer { statement.finish() }
            var names: [String] = []
            while try statement.step() { names.append(statement.text(0)) }
            return names
        }
        let plain = try schemas([name, id, note])
        let store = try await scratch.open(schemas: plain)
        _ = try await store.commit(ChangeSet(inserts: [thing(plain, [.text("a"), .null, .null])]))
        await store.close()
        #expect(try indexes() == ["thing_reference_other"])
        // A duplicate, and an index on a reference, which always has one.
        #expect(await summary(try schemas([name, id, note], indexes: [[0], [0], [1], [2, 0]])) == nil)
        #expect(try indexes() == ["thing_index_name", "thing_index_note_name", "thing_reference_other"])
        #expect(await summary(plain, access: .readOnly) == nil)
        #expect(await summary(try schemas([name, id, note], indexes: [[2]]), access: .readOnly) == nil)
        try SQLiteConnection(scratch.path, flags: SQLITE_OPEN_READWRITE).execute("CREATE INDEX mine ON thing (note)")
        // The program may be an older one, which does not know that an index was added.
        #expect(await summary(try schemas([name, id, note], indexes: [[2]])) == nil)
        #expect(
            try indexes() == [
                "mine", "thing_index_name", "thing_index_note", "thing_index_note_name", "thing_reference_other",
            ])
        let higher = SchemaEvolution(version: 2)
        let second = try SchemaSet(schemas([name, id, note], indexes: [[2]]).roots, evolution: higher)
        #expect(await summary(second) == nil)
        #expect(try indexes() == ["mine", "thing_index_note", "thing_reference_other"])
        let third = try SchemaSet(plain.roots, evolution: SchemaEvolution(version: 3))
        let again = try await scratch.open(schemas: third)
        #expect(try await again.read(ReadRequest(plain.roots[0])).items.map(\.values) == [[.text("a"), .null, .null]])
        await again.close()
        #expect(try indexes() == ["mine", "thing_reference_other"])
    }

    @Test func `groups that are declared twice are one`() async throws {
        #expect(await summary(try schemas([name], uniques: [[0], [0]], indexes: [[0], [0]])) == nil)
        #expect(await summary(try schemas([name], uniques: [[0]])) == nil)
    }
}
