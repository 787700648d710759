#if Postgres
import LarderData
import LarderDomain
@testable import LarderPostgres
import Testing

/// Many streams of one process, and streams of a server that is unavailable.
@Suite(.postgres)
struct PostgresStreamTests {
    private let schemas = Result { try SchemaSet([Sample.note]) }

    /// The ids of the next commits, and whether a gap precedes them.
    private func heard(_ stream: AsyncStream<ChangeEvent>, _ count: Int) async -> (ids: [CommitID], hasGap: Bool) {
        var (ids, hasGap): ([CommitID], Bool) = ([], false)
        while ids.count < count {
            switch await stream.first(where: { _ in true }) {
            case .commit(let commit)?: ids.append(commit.id)
            case .gap?: hasGap = true
            case nil: return (ids, hasGap)
            }
        }
        return (ids, hasGap)
    }

    @Test(.timeLimit(.minutes(2))) func `the streams of a process share the reads of the journal`() async throws {
        let name = "shared_reads"
        let store = try await Scratch.open(schemas.get(), name)
        let other = try await Scratch.open(schemas.get(), name)
        var streams: [AsyncStream<ChangeEvent>] = []
        for _ in 0..<200 { streams.append(await store.changes()) }
        let followers = streams.map { stream in Task { await heard(stream, 20).ids } }
        // All streams wait.
        try await Task.sleep(for: .milliseconds(200))
        let began = ContinuousClock.now
        let before = store.pool.statementsRun
        var written: [CommitID] = []
        for number in 0..<20 {
            let changes = ChangeSet(inserts: [Sample.note("\(number)")])
            _ = try await (number % 2 == 0 ? store : other).commit(changes)
            written.append(changes.id)
        }
        for follower in followers { #expect(await follower.value == written) }
        let statements = store.pool.statementsRun - before
        // About 10 for a commit, 2 for each of its streams' reads, and one for each poll.
        let polls = Int((ContinuousClock.now - began) / .milliseconds(20))
        #expect(statements < 20 * 20 + polls)
        for store in [store, other] { await store.close() }
        await Scratch.drop(name)
    }

    @Test(.timeLimit(.minutes(2)))
    func `a stream that is far behind reads the journal, and one that is not continues, each without a gap`()
        async throws
    {
        let name = "behind"
        let store = try await Scratch.open(schemas.get(), name)
        let start = try await store.commit(ChangeSet()).token
        let near = await store.changes()
        var written: [CommitID] = []
        for number in 0..<1500 {
            let changes = ChangeSet(inserts: [Sample.note("\(number)")])
            _ = try await store.commit(changes)
            written.append(changes.id)
        }
        let far = await store.changes(after: start)
        for stream in [near, far] {
            let (ids, hasGap) = await heard(stream, written.count)
            #expect(ids == written)
            #expect(!hasGap)
        }
        await store.close()
        #expect(await near.first { _ in true } == nil)
        await Scratch.drop(name)
    }

    @Test(.timeLimit(.minutes(2)))
    func `a stream that is made while the server is stopped follows it after its start`() async throws {
        let server = try await TestServer.start()
        defer { server.keepAlive() }
        let store = try await PostgresStore.open(.init(server.connection()), schemas: schemas.get())
        let token = try await store.commit(ChangeSet(inserts: [Sample.note("before")])).token
        try await server.control("stop -m fast")
        let (streamAfterToken, streamAfterEnd) = (await store.changes(after: token), await store.changes())
        async let followed = heard(streamAfterToken, 1)
        async let joined = heard(streamAfterEnd, 1)
        try await Task.sleep(for: .milliseconds(100))
        try await server.control("start")
        let changes = ChangeSet(inserts: [Sample.note("after")])
        // The second stream starts at a position that it finds now.
        try await Task.sleep(for: .milliseconds(500))
        _ = try await store.commit(changes)
        let (first, second) = (await followed, await joined)
        #expect(first.ids == [changes.id] && !first.hasGap)
        #expect(second.ids == [changes.id] && second.hasGap)
        await store.close()
    }

    @Test(.timeLimit(.minutes(2)))
    func `a role with fewer connections than the pool uses those that the server accepts`() async throws {
        await Scratch.drop("narrow")
        try await Scratch.run(
            "DROP ROLE IF EXISTS narrow", "CREATE ROLE narrow LOGIN CONNECTION LIMIT 2",
            "CREATE SCHEMA narrow AUTHORIZATION narrow")
        let connection = try await TestServer.shared.value.connection(user: "narrow")
        let store = try await PostgresStore.open(.init(connection, schema: "narrow"), schemas: schemas.get())
        let note = Sample.note("a")
        _ = try await store.commit(ChangeSet(inserts: [note]))
        try await withThrowingTaskGroup { group in
            for number in 0..<64 {
                group.addTask {
                    _ = try await store.commit(ChangeSet(inserts: [Sample.note("\(number)")]))
                    _ = try await store.read(ReadRequest(Sample.note))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.read(ReadRequest(Sample.note)).items.count == 65)
        await store.close()
        await Scratch.drop("narrow")
    }
}
#endif
