#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// The order of the journal if transactions overlap.
@Suite(.postgres)
struct PostgresJournalTests {
    private let schemas = Result { try SchemaSet([Sample.note]) }

    @Test func `a commit that began before another one and was stored after it follows the receipt of the other`()
        async throws
    {
        let name = "overlap"
        let store = try await Scratch.open(schemas.get(), name)
        let holder = try await Scratch.connection(name)
        let ids = [RawID(high: 1, low: 0), RawID(high: 2, low: 0)]
        try await holder.run("BEGIN", "INSERT INTO note VALUES ('\(ids[1])', 1, 'held', 0)")
        // The first note is written before the second one waits for its id.
        let early = ChangeSet(inserts: [Sample.note("early", id: ids[0]), Sample.note("", id: ids[1])])
        async let earlyReceipt = store.commit(early)
        try await holder.wait(until: PlainConnection.blocked)
        let receipt = try await store.commit(ChangeSet(inserts: [Sample.note("late")]))
        try await holder.run("ROLLBACK")
        _ = try await earlyReceipt
        let last = ChangeSet(inserts: [Sample.note("last")])
        _ = try await store.commit(last)
        #expect(await commits(store, after: receipt.token, to: last.id) == [early.id, last.id])
        await store.close()
        await Scratch.drop(name)
    }

    @Test func `a receipt is not given before all commits with a smaller position are stored`() async throws {
        let name = "receipts"
        let store = try await Scratch.open(schemas.get(), name)
        let other = try await Scratch.open(schemas.get(), name)
        let start = try await store.commit(ChangeSet()).token
        let holder = try await Scratch.connection(name)
        // The commit of the first note waits for a lock in its COMMIT, after it took its position.
        try await holder.run(
            """
            CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN IF (SELECT count(*) FROM note WHERE rank = 1) = 1 THEN PERFORM pg_advisory_xact_lock(1, 2); END IF;
                RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER pause AFTER INSERT ON larder_journal DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION pause()
            """, "SELECT pg_advisory_lock(1, 2)")
        let earlyNote = Sample.note("early", rank: 1)
        let early = ChangeSet(inserts: [earlyNote])
        async let earlyReceipt = store.commit(early)
        try await holder.wait(until: PlainConnection.blocked)
        let late = ChangeSet(inserts: [Sample.note("late")])
        let lateReceipt = Task {
            let receipt = try await other.commit(late)
            return (receipt.token, try await other.read(earlyNote.id, of: Sample.note))
        }
        try await holder.wait(until: "SELECT FROM note WHERE text = 'late'")
        // Time for a receipt that does not wait.
        try await Task.sleep(for: .milliseconds(100))
        try await holder.run("SELECT pg_advisory_unlock(1, 2)")
        let (token, found) = try await lateReceipt.value
        #expect(found == earlyNote)
        let earlyToken = try await earlyReceipt.token
        #expect(earlyToken.position < token.position)
        #expect(await commits(store, after: start, to: late.id) == [early.id, late.id])
        let last = ChangeSet(inserts: [Sample.note("last")])
        _ = try await store.commit(last)
        #expect(await commits(store, after: token, to: last.id) == [last.id])
        for store in [store, other] { await store.close() }
        await Scratch.drop(name)
    }

    @Test func `a position whose transaction was rolled back holds up neither streams nor receipts`() async throws {
        let name = "missing"
        let store = try await Scratch.open(schemas.get(), name)
        let start = try await store.commit(ChangeSet()).token
        var written: [CommitID] = []
        for number in 0..<4 {
            // As after a crash, and by a transaction that is rolled back after its last statement.
            try await Scratch.run(
                "SELECT nextval('\"\(name)\".larder_journal_position_seq') FROM generate_series(1, 33)")
            let changes = ChangeSet(inserts: [Sample.note("\(number)")])
            _ = try await store.commit(changes)
            written.append(changes.id)
        }
        #expect(await commits(store, after: start, to: written[3]) == written)
        // A transaction whose position was settled before it wrote it is repeated with a later one.
        try await Scratch.run(
            "INSERT INTO \"\(name)\".larder_journal SELECT last_value + 1, gen_random_uuid(), 0, 0 "
                + "FROM \"\(name)\".larder_journal_position_seq")
        let last = ChangeSet(inserts: [Sample.note("last")])
        _ = try await store.commit(last)
        #expect(await commits(store, after: start, to: last.id) == written + [last.id])
        await store.close()
        await Scratch.drop(name)
    }

    @Test(.timeLimit(.minutes(1)))
    func `the server plans the journal's statements for its length after the number of commits has doubled`()
        async throws
    {
        let name = "doubled"
        let store = try await Scratch.open(schemas.get(), name)
        let plain = try await Scratch.connection(name)
        let analyzed = "SELECT FROM pg_class WHERE oid = '\"\(name)\".larder_journal'::regclass AND reltuples >= 0"
        try await plain.run("SELECT setval('\"\(name)\".larder_journal_position_seq', 510)")
        for number in 511...512 {
            #expect(try await plain.count(analyzed) == 0)
            let receipt = try await store.commit(ChangeSet(inserts: [Sample.note("\(number)")]))
            #expect(receipt.token.position == UInt64(number))
        }
        try await plain.wait(until: analyzed)
        await store.close()
        await Scratch.drop(name)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a long transaction of another program does not delay the journal`() async throws {
        let name = "long"
        let store = try await Scratch.open(schemas.get(), name)
        let holder = try await Scratch.connection(name)
        try await holder.run("BEGIN", "CREATE TABLE other (text text)")
        let stream = await store.changes(after: nil)
        let receipt = try await store.commit(ChangeSet(inserts: [Sample.note("a")]))
        let first = await stream.first { _ in true }
        #expect(first?.token == receipt.token)
        try await holder.run("ROLLBACK")
        await store.close()
        await Scratch.drop(name)
    }

    /// The commits after a token, up to one of them.
    private func commits(_ store: PostgresStore, after token: ChangeToken, to last: CommitID) async -> [CommitID] {
        var ids: [CommitID] = []
        for await event in await store.changes(after: token) {
            guard case .commit(let commit) = event else { break }
            ids.append(commit.id)
            if commit.id == last { break }
        }
        return ids
    }
}
#endif
