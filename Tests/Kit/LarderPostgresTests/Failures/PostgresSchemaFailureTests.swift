#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// Tables and rights that are not those of the program.
@Suite(.postgres)
struct PostgresSchemaFailureTests {
    private static let schemas = Result { try SchemaSet([Sample.note]) }

    @Test func `a user without a right on a table can do the rest`() async throws {
        let name = "narrow"
        await Scratch.drop(name)
        let store = try await Scratch.open(Self.schemas.get(), name)
        let note = Sample.note("a")
        _ = try await store.commit(ChangeSet(inserts: [note]))
        try await Scratch.run(
            "DROP ROLE IF EXISTS guest", "CREATE ROLE guest LOGIN", "GRANT USAGE ON SCHEMA \(name) TO guest",
            "GRANT SELECT ON ALL TABLES IN SCHEMA \(name) TO guest")
        let guest = try await PostgresStore.open(
            .init(TestServer.shared.value.connection(user: "guest"), schema: name), schemas: Self.schemas.get())
        #expect(try await guest.read(note.id, of: Sample.note) == note)
        let changes = ChangeSet(inserts: [Sample.note("b")])
        let commit = await Failure.unavailable { _ = try await guest.commit(changes) }
        Failure.expect(commit, .failed, ["grant the user the rights", "42501"])
        #expect(try await guest.outcome(of: changes.id) == .absent)
        try await Scratch.run("REVOKE SELECT ON \(name).note FROM guest")
        let read = await Failure.unavailable { _ = try await guest.read(note.id, of: Sample.note) }
        Failure.expect(read, .failed, ["grant the user the rights", "note", "42501"])
        try await Scratch.run("GRANT ALL ON ALL TABLES IN SCHEMA \(name) TO guest")
        _ = try await guest.commit(changes)
        await guest.close()
        await store.close()
        await Scratch.drop(name)
    }

    @Test func `tables, columns, and a journal that another program has removed are named, with what to do`()
        async throws
    {
        let name = "removed"
        await Scratch.drop(name)
        let store = try await Scratch.open(Self.schemas.get(), name)
        let insert = ChangeSet(inserts: [Sample.note("a")])
        try await Scratch.run("ALTER TABLE \(name).note RENAME COLUMN rank TO place")
        let column = await Failure.unavailable { _ = try await store.commit(insert) }
        Failure.expect(column, .failed, ["restore a backup", "rank", "42703"])
        try await Scratch.run(
            "ALTER TABLE \(name).note RENAME COLUMN place TO rank", "ALTER TABLE \(name).note RENAME TO paper")
        let table = await Failure.unavailable { _ = try await store.read(ReadRequest(Sample.note)) }
        Failure.expect(table, .failed, ["restore a backup", "note", "42P01"])
        try await Scratch.run(
            "ALTER TABLE \(name).paper RENAME TO note", "ALTER TABLE \(name).larder_journal RENAME TO old")
        let journal = await Failure.unavailable { _ = try await store.commit(insert) }
        Failure.expect(journal, .failed, ["restore a backup", "larder_journal", "42P01"])
        try await Scratch.run("ALTER TABLE \(name).old RENAME TO larder_journal")
        _ = try await store.commit(insert)
        #expect(try await store.read(ReadRequest(Sample.note)).items.count == 1)
        try await Scratch.run("DELETE FROM \(name).larder_journal")
        let rows = await Failure.unavailable { _ = try await store.outcome(of: CommitID()) }
        Failure.expect(rows, .failed, ["emptied the table larder_journal", "restore a backup"])
        await store.close()
        await Scratch.drop(name)
    }

    @Test func `a schema of another version that cannot be used is incompatible, and is unchanged`() async throws {
        let name = "versions"
        await Scratch.drop(name)
        let store = try await Scratch.open(Self.schemas.get(), name)
        let note = Sample.note("a")
        _ = try await store.commit(ChangeSet(inserts: [note]))
        // An older schema: a column had another type, and another one is gone.
        let changed = EntitySchema(name: "note", columns: [Column(name: "text", type: .blob)])
        try await expectIncompatible(name, [changed], ["note", "text"])
        let shortened = EntitySchema(name: "note", columns: [Column(name: "text", type: .text)], uniques: [[0]])
        try await expectIncompatible(name, [shortened], ["note", "rank"])
        // A newer one: this program does not know the kinds of members that it records.
        try await Scratch.run("UPDATE \(name).larder_schema SET kind = 'wish' WHERE position = 0")
        try await expectIncompatible(name, [Sample.note], ["larder_schema", "newer version of the program"])
        #expect(try await store.read(note.id, of: Sample.note) == note)
        await store.close()
        await Scratch.drop(name)
    }

    private func expectIncompatible(_ name: String, _ schemas: [EntitySchema], _ texts: [String]) async throws {
        let configuration = try await Scratch.configuration(name)
        let error = await #expect(throws: PersistencyError.self) {
            try await PostgresStore.open(configuration, schemas: SchemaSet(schemas))
        }
        guard case .incompatible(let reason)? = error else { Issue.record("\(error as Any)"); return }
        for text in texts { #expect(reason.contains(text), "no '\(text)': \(reason)") }
    }
}
#endif
