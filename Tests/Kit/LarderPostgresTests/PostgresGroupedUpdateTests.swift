#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// Updates of one root each, which are sent together.
@Suite(.postgres)
struct PostgresGroupedUpdateTests {
    /// Runs a test with a store that contains notes, and has open connections.
    private func withNotes(_ body: (PostgresStore, [StorageObject], String) async throws -> Void) async throws {
        let name = "updates_\(UInt32.random(in: 1 ... .max))"
        let store = try await Scratch.open(SchemaSet([Sample.note]), name)
        let new = (0..<60).map { Sample.note("\($0)", id: RawID(high: 1, low: $0)) }
        _ = try await store.commit(ChangeSet(inserts: new))
        let notes = new.map { note in
            StorageObject(schema: note.schema, id: note.id, version: 1, values: note.values)
        }
        let reads = (0..<100).map { index in Task { try await store.read(notes[index % 60].id, of: Sample.note) } }
        for read in reads { _ = try await read.value }
        try await body(store, notes, name)
        await store.close()
        await Scratch.drop(name)
    }

    private func ranked(_ note: StorageObject, _ rank: Int64) -> ChangeSet {
        var new = note
        new.values[1] = .integer(rank)
        let changes = ObjectChanges(from: note, to: new)
        return ChangeSet(updates: [RootUpdate(note.key, expected: note.version, changes: changes)])
    }

    private func ranks(_ store: PostgresStore, _ notes: [StorageObject]) async throws -> [Value] {
        var ranks: [Value] = []
        for note in notes { ranks.append(try await store.read(note.id, of: Sample.note)?.values[1] ?? .null) }
        return ranks
    }

    @Test func `each of two concurrent updates of a root is stored or in conflict, and has its own position`()
        async throws
    {
        try await withNotes { store, notes, _ in
            let outcomes = await withTaskGroup(of: (Int, Int64, Result<CommitReceipt, any Error>).self) { tasks in
                for rank in [1, 2] as [Int64] {
                    for (index, note) in notes.enumerated() {
                        tasks.addTask { (index, rank, await Result { try await store.commit(ranked(note, rank)) }) }
                    }
                }
                return await tasks.reduce(into: []) { $0.append($1) }
            }
            var (stored, positions) = (notes.map { _ in Value.null }, Set<Int64>())
            for (index, rank, outcome) in outcomes {
                switch outcome {
                case .success(let receipt):
                    #expect(stored[index] == .null)
                    stored[index] = .integer(rank)
                    positions.insert(receipt.token.position)
                case .failure(let error):
                    guard case .conflict(let conflict)? = error as? PersistencyError else { throw error }
                    #expect(conflict.found == 2)
                }
            }
            #expect(try await ranks(store, notes) == stored)
            #expect(positions.count == notes.count)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a row that another transaction has locked delays no update of other rows`()
        async throws
    {
        try await withNotes { store, notes, name in
            let holder = try await Scratch.connection(name)
            try await holder.run("BEGIN", "SELECT FROM note WHERE id = '\(notes[30].id)' FOR UPDATE")
            let locked = Task { try await store.commit(ranked(notes[30], 7)) }
            let others = notes.filter { $0.id != notes[30].id }
            let updates = others.map { note in Task { try await store.commit(ranked(note, 7)) } }
            for update in updates { _ = try await update.value }
            try await holder.run("ROLLBACK")
            _ = try await locked.value
            #expect(try await ranks(store, notes) == notes.map { _ in .integer(7) })
        }
    }
}
#endif
