#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// An older state of a database that is put back without `restore`, as by `pg_restore`.
@Suite(.postgres)
struct PostgresRenewalTests {
    @Test(arguments: [false, true]) func `a renewed store sends a client of lost commits a gap, and keeps the rest`(
        _ renewing: Bool
    ) async throws {
        let (name, copy) = ("renewed_\(renewing)", "renewed_\(renewing)_copy")
        for schema in [name, copy] { await Scratch.drop(schema) }
        let schemas = try SchemaSet([Sample.note])
        var store = try await Scratch.open(schemas, name)
        let note = Sample.note("first")
        let first = ChangeSet(inserts: [note])
        _ = try await store.commit(first)
        try await Scratch.copy(name, to: copy)
        var lost = try await store.commit(ChangeSet(inserts: [Sample.note("lost")])).token
        // The sequence of a copy is ahead.
        lost = try await store.commit(ChangeSet(inserts: [Sample.note("lost, too")])).token
        await store.close()
        await Scratch.drop(name)
        try await Scratch.run("ALTER SCHEMA \(copy) RENAME TO \(name)")
        let open = try await Scratch.open(schemas, name)
        if renewing {
            store = try await Scratch.open(schemas, name)
            try await #require(store.feature((any RenewableStore).self)).renew()
            await #expect(throws: PersistencyError.self) { try await store.commit(ChangeSet()) }
            // Another process that has the store open.
            await #expect(throws: PersistencyError.self) {
                try await open.commit(ChangeSet(inserts: [Sample.note("late")]))
            }
        }
        await open.close()
        store = try await Scratch.open(schemas, name)
        var end = lost
        for number in 0..<3 { end = try await store.commit(ChangeSet(inserts: [Sample.note("new \(number)")])).token }
        var events: [ChangeEvent] = []
        for await event in await store.changes(after: lost) {
            events.append(event)
            if event.token.position >= end.position { break }
        }
        // Without it, the client misses the first of the new commits.
        #expect((events.first == .gap(end)) == renewing)
        #expect(try await store.outcome(of: first.id) == .stored)
        #expect(try await store.read(note.id, of: Sample.note)?.version == 1)
        await store.close()
        await Scratch.drop(name)
    }
}
#endif
